#!/usr/bin/env bash
# Fetches the vendored bundle again from npm and checks it. Run from any folder; needs npm.
set -euo pipefail
version=4.1.1
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && npm pack --silent "plotly.js-basic-dist-min@$version" && tar xzf ./*.tgz)
cp "$folder/package/plotly-basic.min.js" plotly-basic.min.js
cp "$folder/package/LICENSE" plotly-LICENSE
sha256sum --check SHA256SUMS
