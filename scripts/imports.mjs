import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './lib/project.mjs'

/**
 * The imports that each folder may have. `npm run lint` checks them. All other imports are forbidden, also for new
 * folders. In the table, `api` and `web` are the files beside the folders. A package without a path means all its
 * exports, and `npm` means packages from the registry and Node's modules. Imports within a folder are allowed. A
 * feature of the API may import only `public.ts` of another feature. A feature of the web app may import only the
 * features that its screens contain.
 */
const apiPackages =
  '@papermoon/amm @papermoon/bots @papermoon/chain @papermoon/contract @papermoon/db @papermoon/engine npm'
const webPackages = `@papermoon/amm @papermoon/chain @papermoon/client @papermoon/format @papermoon/guide @papermoon/live npm
  @papermoon/contract/router @papermoon/contract/link-hosts @papermoon/contract/fair-tokens`
const everyApiFolder = 'cache database events house lib security storage tracing validation'
const table = {
  'api/papermoon.ts': 'api/server.ts commands npm',
  'api/server.ts': `api api/app.ts features house http lib ${apiPackages}`,
  'api/app.ts': `api api/start-background-jobs.ts features http ${everyApiFolder} ${apiPackages}`,
  'api/start-background-jobs.ts': 'api features lib npm',
  'api/router.ts': `api features ${apiPackages}`,
  'api/http': `api api/router.ts features ${everyApiFolder} ${apiPackages} @papermoon/format @papermoon/guide`,
  'api/commands': `api features database house lib security storage validation ${apiPackages}`,
  'api/features': `api ${everyApiFolder} ${apiPackages} @papermoon/format @papermoon/live`,
  api: `cache database events features/account features/fairs features/moderation features/notices lib security storage
    tracing validation ${apiPackages}`,
  'api/cache': `api events ${apiPackages} @papermoon/live`,
  'api/database': `api cache lib ${apiPackages}`,
  'api/events': `database features/talk house lib security ${apiPackages}`,
  'api/house': `api database events features/account features/fairs features/talk lib ${apiPackages}`,
  'api/lib': 'security @papermoon/engine npm',
  'api/security': `api ${apiPackages}`,
  'api/storage': `api ${apiPackages}`,
  'api/tracing': `api ${apiPackages}`,
  'api/validation': `api ${apiPackages}`,
  web: `components features lib styles ${webPackages}`,
  'web/features': `components lib ${webPackages}`,
  'web/components': `web lib ${webPackages}`,
  'web/lib': webPackages,
  'web/styles': '',
  'packages/amm': 'decimal.js',
  'packages/bots': '@papermoon/amm',
  'packages/bots/load': 'packages/bots npm',
  'packages/chain': '@noble/hashes',
  'packages/client': '@noble/hashes @papermoon/contract/router @trpc/client superjson',
  'packages/client/node.ts': 'packages/client ws',
  'packages/contract': '@papermoon/amm @trpc/server ipaddr.js node:net zod',
  'packages/db': 'npm',
  'packages/engine': '@papermoon/amm @papermoon/chain @papermoon/contract @papermoon/db npm',
  'packages/format': '@papermoon/amm',
  'packages/generators': '@papermoon/api/testing npm',
  'packages/guide': 'npm',
  'packages/live': '@papermoon/amm @papermoon/contract',
  'packages/mcp': '@papermoon/amm @papermoon/client npm',
}
/** The features whose parts are on the screens of another feature of the web app. */
const screenParts = {
  fairs: 'talk trading',
  home: 'continue',
  portfolio: 'fairs quests trading',
  tokens: 'alerts chart fairs quests talk trading',
  users: 'fairs talk',
}
const faults = [
  ...findFaults('{apps/{api,web},packages/*}/src/**/*.{ts,tsx}', mayImport),
  // Tests, benches and browser tests must not import from another package's sources.
  ...findFaults('{apps/{bench,e2e},packages/*/test}/**/*.ts', isPublic),
]
for (const fault of faults) process.stderr.write(`${fault}, which the table in scripts/imports.mjs does not allow\n`)
process.exit(faults.length === 0 ? 0 : 1)

function findFaults(pattern, isAllowed) {
  return globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' }).flatMap((file) =>
    listTargets(file)
      .filter((target) => !isAllowed(file, target))
      .map((target) => `${file} imports ${target}`),
  )
}

/** Returns a file's imports: names of packages, and paths from the repository's root. */
function listTargets(file) {
  const imports = readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^'?]+)/g)
  return Array.from(imports, ([, name]) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

function mayImport(file, target) {
  const [from, to] = [file, target].map(toFolder)
  if (from === to && !(/features$/.test(from) && toFeature(file) !== toFeature(target))) return true
  if (from === 'web/features' && to === from)
    return screenParts[toFeature(file)]?.split(' ').includes(toFeature(target))
  if (from === to) return from === 'api/features' && target === `apps/api/src/features/${toFeature(target)}/public.ts`
  const [app] = from.split('/')
  const allowed = (table[from] ?? '').split(/\s+/).filter(Boolean)
  return allowed.some((name) =>
    name === 'npm'
      ? !/^(apps|packages)\/|^@papermoon\//.test(target)
      : [name, `${app}/${name}`].includes(to) ||
        [name, `apps/${app}/src/${name}`].some((path) => target === path || target.startsWith(`${path}/`)),
  )
}

/** Returns the table's row for a path. */
function toFolder(path) {
  const [group, name, , first, ...rest] = path.split('/')
  if (!/^(apps|packages)\//.test(path)) return path
  const own = group === 'packages' ? `packages/${name}` : name
  const part = `${own}/${first}`
  if (part in table) return part
  return group === 'packages' || rest.length === 0 ? own : part
}

function toFeature(path) {
  return path.split('/')[4]
}

function isPublic(file, target) {
  const own = file.split('/').slice(0, 2).join('/')
  return !/^(apps\/[^/]+\/(src|test)|packages\/[^/]+\/src)\//.test(target) || target.startsWith(`${own}/`)
}
