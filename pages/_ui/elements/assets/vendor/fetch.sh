#!/usr/bin/env bash
# Fetches the vendored bundles again from npm and checks them. Run from any folder; needs npm.
set -euo pipefail
plotly=4.1.1
cd "$(dirname "$0")"
here=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp lock/package.json lock/package-lock.json "$folder"
cd "$folder"
npm ci --silent
echo 'export { hierarchy, treemap } from "d3-hierarchy"' > tree.mjs
npx esbuild tree.mjs --bundle --minify --format=esm --outfile="$here/d3-hierarchy.min.js" --log-level=error
cp node_modules/d3-hierarchy/LICENSE "$here/d3-hierarchy-LICENSE"
npm pack --silent "plotly.js-basic-dist-min@$plotly" && tar xzf ./*.tgz
cp package/plotly-basic.min.js package/LICENSE "$here"
cd "$here"
mv LICENSE plotly-LICENSE
sha256sum --check SHA256SUMS
