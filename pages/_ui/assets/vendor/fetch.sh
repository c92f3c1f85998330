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
echo 'export { default } from "regl-scatterplot"' > points.mjs
echo 'export { hierarchy, treemap } from "d3-hierarchy"' > tree.mjs
bundle() { npx esbuild "$1" --bundle --minify --format=esm --outfile="$here/$2" --log-level=error; }
bundle points.mjs regl-scatterplot.min.js
bundle tree.mjs d3-hierarchy.min.js
cat node_modules/{regl-scatterplot,regl,regl-line,pub-sub-es,dom-2d-camera,camera-2d-simple,earcut,gl-matrix,@flekschas/utils}/LICENSE* \
  > "$here/regl-scatterplot-LICENSES"
cp node_modules/d3-hierarchy/LICENSE "$here/d3-hierarchy-LICENSE"
npm pack --silent "plotly.js-basic-dist-min@$plotly" && tar xzf ./*.tgz
cp package/plotly-basic.min.js package/LICENSE "$here"
cd "$here"
mv LICENSE plotly-LICENSE
sha256sum --check SHA256SUMS
