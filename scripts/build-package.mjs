import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { readJson, root, workspacePackages } from './lib/project.mjs'

/**
 * Builds the package in the current folder for `pnpm pack` into `dist/`: minified ES modules, declarations, README,
 * license and its own package.json. `--bundle NAME` includes a dependency in the modules; other dependencies stay
 * imports. Code inside the repository imports the sources directly. `--out` names another folder than `dist`.
 */
const { values } = parseArgs({
  options: {
    bundle: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: 'dist' },
  },
})
const folder = process.cwd()
const dist = resolve(folder, values.out)
const manifest = readJson(join(folder, 'package.json'))
const { exports: entries = {}, bin = {} } = manifest.publishConfig
const dependencies = resolveDependencies()

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
writeLicenses(await bundle(listSources(/\.js$/)))
writeDeclarations(listSources(/\.d\.ts$/))
writeManifest()
cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
cpSync(join(folder, 'README.md'), join(dist, 'README.md'))

/** Returns the dependencies that are not bundled, with version ranges that start at the installed versions. */
function resolveDependencies() {
  const names = Object.keys(manifest.dependencies ?? {}).filter((name) => !values.bundle.includes(name))
  return Object.fromEntries(names.map((name) => [name, `^${findVersion(name)}`]))
}

function findVersion(name) {
  const ours = workspacePackages().find((it) => it.manifest.name === name)
  return (ours?.manifest ?? readJson(join(folder, 'node_modules', name, 'package.json'))).version
}

/** Lists the sources of the published files with this ending, such as `src/index.ts` for `./index.js`. */
function listSources(ending) {
  const published = [...Object.values(entries).flatMap((entry) => Object.values(entry)), ...Object.values(bin)]
  const names = published.filter((path) => ending.test(path)).map((path) => basename(path).replace(ending, ''))
  return [...new Set(names)].map((name) => join(folder, 'src', `${name}.ts`))
}

/** Bundles the modules. Returns the files that became part of them. */
async function bundle(input) {
  const build = await rolldown({
    input,
    external: (id) =>
      isBuiltin(id) || Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    onLog: (_level, { message }) => {
      throw new Error(message)
    },
  })
  const { output } = await build.write({ dir: dist, format: 'es', minify: true, comments: false })
  await build.close()
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** Writes the licenses of the bundled packages, as these licenses require. */
function writeLicenses(files) {
  const packages = files.map((file) => file.match(/^.*\/node_modules\/(@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean)
  const texts = [...new Set(packages)].sort().map((from) => {
    const { name, version } = readJson(join(from, 'package.json'))
    const file = readdirSync(from).find((it) => /^licen[cs]e/i.test(it)) ?? 'LICENSE'
    return `${name} ${version}\n\n${readFileSync(join(from, file), 'utf8').trim()}\n`
  })
  if (texts.length > 0) writeFileSync(join(dist, 'LICENSES.txt'), texts.join('\n---\n\n'))
}

/** Writes the declarations for the sources and their imports. */
function writeDeclarations(sources) {
  const seen = new Set()
  const queue = [...sources]
  for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
    if (seen.has(source)) continue
    seen.add(source)
    const { code, errors } = isolatedDeclarationSync(source, readFileSync(source, 'utf8'))
    if (errors.length > 0) throw new Error(`${source}: ${errors.map(({ message }) => message).join(' ')}`)
    queue.push(...[...code.matchAll(/from ["'](\.[^"']+)["']/g)].map(([, path]) => join(dirname(source), path)))
    const target = join(dist, relative(join(folder, 'src'), source).replace(/\.ts$/, '.d.ts'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, code.replace(/(from ["']\.[^"']+)\.ts(["'])/g, '$1.js$2'))
  }
}

function writeManifest() {
  const { publishConfig, scripts, devDependencies, exports: _exports, bin: _bin, ...kept } = manifest
  const published = {
    ...kept,
    dependencies: Object.keys(dependencies).length > 0 ? dependencies : undefined,
    exports: publishConfig.exports && entries,
    bin: publishConfig.bin && bin,
    publishConfig: { access: publishConfig.access },
  }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}
