import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addRelease } from './lib/changelog.mjs'
import { install } from './lib/install.mjs'
import { productNode, requireNode } from './lib/node-version.mjs'
import { readJson, root, workspacePackages } from './lib/project.mjs'
import { run } from './lib/run.mjs'

/**
 * Releases a version from the notes in .changeset/. All packages share one version and the CHANGELOG.md in the root.
 * changesets writes a changelog per package; the API's becomes the product's.
 */
requireNode()
await install()
const changeset = join(root, 'scripts', 'node_modules', '.bin', 'changeset')
const { code } = await run(changeset, ['version'])
if (code !== 0) process.exit(code)
const logs = workspacePackages().map(({ folder }) => join(folder, 'CHANGELOG.md'))
const product = join(root, 'apps', 'api')
if (!existsSync(join(product, 'CHANGELOG.md'))) {
  process.stderr.write('There is no changeset: npm run changeset writes one.\n')
  process.exit(1)
}
const log = join(root, 'CHANGELOG.md')
const before = existsSync(log) ? readFileSync(log, 'utf8') : ''
writeFileSync(log, addRelease(before, readFileSync(join(product, 'CHANGELOG.md'), 'utf8')))
for (const path of logs) rmSync(path, { force: true })
const { version } = readJson(join(product, 'package.json'))
const manifest = join(root, 'package.json')
writeFileSync(manifest, `${JSON.stringify({ ...readJson(manifest), version }, null, 2)}\n`)
const python = join(root, 'clients', 'python', 'pyproject.toml')
writeFileSync(python, readFileSync(python, 'utf8').replace(/^version = ".*"$/m, `version = "${version}"`))
const api = await run(productNode(), [join(product, 'src', 'http', 'rest', 'openapi', 'release-api.ts')])
if (api.code !== 0) process.exit(api.code)
process.stdout.write(`${version}: look at CHANGELOG.md, commit, then git tag v${version}\n`)
