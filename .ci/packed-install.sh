#!/usr/bin/env bash
# Packs the package as it has been built, installs it in an empty project and uses it there: import, require, types, a
# bundle, the command, the service, the example. Usage: packed-install.sh [version of Node.js]. A version other than the
# present one is installed from the registry.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT

cd "$root"
# Packs what has been built, because `npm pack` with its scripts would build again.
npm pack --silent --ignore-scripts --pack-destination "$project" >/dev/null
cd "$project"
if [ $# -gt 0 ]; then
  npm install --silent --no-audit --no-fund --prefix node "node@$1"
  headers=$(find node -path '*/include/node' -prune)
  # Native modules are compiled with its headers: nothing is downloaded.
  export npm_config_nodedir="$project/${headers%/include/node}"
  export PATH="$npm_config_nodedir/bin:$PATH"
fi
echo "Node.js $(node --version)"
cat > package.json <<'JSON'
{ "name": "empty-project", "private": true, "type": "module" }
JSON
# Refuses packages that do not support this version of Node.js: npm chooses newer ones than the lock file has.
npm install --silent --no-audit --no-fund --engine-strict ./waymark-*.tgz

mkdir docs
printf '# Kettle\n\n## Cleaning\n\nBoil water with a little vinegar, then rinse twice.\n' > docs/kettle.md
echo '{"query": "descaling", "gold": [{"file": "kettle.md", "startLine": 5, "endLine": 5}]}' > questions.jsonl

cat > use.ts <<'TS'
import { type Hit, openEngine, WaymarkError } from 'waymark';
import { evaluateQuestion, type Question, rankedPassage, readQuestions } from 'waymark/evaluation';
import { ExactIndex } from 'waymark/vectors';

const engine = await openEngine({ database: 'index.db' });
const { added } = await engine.indexFolder('docs');
const { passages } = await engine.searchFiles({ query: 'how do I get rid of limescale?', limit: 1 });
const hits: Hit[] = await engine.search('descaling', { limit: 1 });
await engine.close();

const [question]: Question[] = readQuestions('questions.jsonl');
const result = question && evaluateQuestion(question, hits.map(rankedPassage));
if (result?.measures['RR@10'] !== 1) throw new WaymarkError('INVALID_ARGUMENT', 'not evaluated');

const index = new ExactIndex({ dimensions: 2 });
index.add(7, Float32Array.of(1, 0));
const [neighbour] = index.search(Float32Array.of(0, 1), { limit: 1 });
if (neighbour?.id !== 7) throw new WaymarkError('INVALID_ARGUMENT', 'no neighbour');

const content: string | undefined = passages[0]?.content;
if (added !== 1 || !content?.includes('vinegar') || hits.length !== 1) throw new WaymarkError('INVALID_ARGUMENT', 'not found');
console.log('imported, indexed, found');
TS
"$root/node_modules/.bin/tsc" --ignoreConfig --module nodenext --target es2022 --strict --types '' use.ts
node use.js

# A program that leaves the package out of its bundle.
"$root/node_modules/.bin/esbuild" use.js --log-level=warning --bundle --platform=node --format=esm --external:waymark \
  --outfile=bundle.mjs
rm index.db*
node bundle.mjs

cat > use.cts <<'TS'
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';

async function use(): Promise<void> {
  const engine: SearchEngine = await openEngine({ database: 'required.db', model: createHashEmbedder() });
  await engine.indexFile('a.md', 'The kettle.');
  const [hit] = await engine.search('kettle');
  await engine.close();
  console.log('required', hit?.passage.content);
}

void use();
TS
"$root/node_modules/.bin/tsc" --ignoreConfig --module nodenext --target es2022 --strict --types '' use.cts
grep -q 'require("waymark")' use.cjs
node use.cjs | tee required.txt
grep -q 'required The kettle.' required.txt

./node_modules/.bin/waymark index docs
./node_modules/.bin/waymark search "how do I get rid of limescale?" | tee found.txt
grep -q '^docs/kettle.md:5' found.txt
node node_modules/waymark/examples/bot/run.js "How do I clean the kettle with vinegar?" | tee answered.txt
grep -q vinegar answered.txt

./node_modules/.bin/waymark serve --dev --port 0 > curl.sh 2> serve.log &
service=$!
for _ in $(seq 300); do [ -s curl.sh ] && break; sleep 0.1; done
sed -i "s/query=[^']*/query=how do I get rid of limescale?/" curl.sh
bash curl.sh | tee found.json
grep -q vinegar found.json
page=$(sed -n 's/.*search page at //p' serve.log)
curl -sS --get "$page" --data-urlencode 'query=how do I clean it with vinegar?' > page.html
grep -q '<b>vinegar</b>' page.html
kill -TERM "$service"
wait "$service"
echo "packed install works"
