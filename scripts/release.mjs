import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { fail, root, workspacePackages } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * Renames *Unreleased* in CHANGELOG.md to the given version, and writes that version and the API's released document.
 */
const [version] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) fail('npm run release -- VERSION, such as 0.4.0')
requireNode()
await install()
replaceIn('CHANGELOG.md', /^## Unreleased\n+(?!\n|## )/m, `## Unreleased\n\n## ${version}\n\n`)
for (const folder of [root, ...workspacePackages().map((it) => it.folder)])
  replaceIn(join(folder, 'package.json'), /^ {2}"version": ".*"/m, `  "version": "${version}"`)
replaceIn('clients/python/pyproject.toml', /^version = ".*"$/m, `version = "${version}"`)
await runOrExit(productNode(), [join(root, 'apps/api/src/http/rest/openapi/release-api.ts')])
await runOrExit(join(root, 'node_modules/.bin/biome'), ['format', '--write', 'apps/api/released-openapi.json'])
process.stdout.write(`${version}: look at CHANGELOG.md, commit, then git tag -a v${version} -m v${version}\n`)

function replaceIn(name, pattern, replacement) {
  const path = name.startsWith(root) ? name : join(root, name)
  const text = readFileSync(path, 'utf8')
  if (!pattern.test(text)) fail(`${name} has nothing to release.`)
  writeFileSync(path, text.replace(pattern, replacement))
}

async function runOrExit(command, args) {
  const { code } = await run(command, args)
  if (code !== 0) process.exit(code)
}
