import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const MAX_MS = 200_000

const run = promisify(execFile)

/** The generators, each with its command line in a folder that contains `openapi.json`. */
export const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '--output', 'client.ts'],
  'hey-api': ['openapi-ts', '--input', 'openapi.json', '--output', 'client', '--no-log-file'],
  orval: ['orval', '--config', 'orval.config.mjs'],
} as const satisfies Record<string, readonly [command: string, ...args: string[]]>

export type Generator = keyof typeof GENERATORS

/** The TypeScript settings of a usual project with a bundler. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  include: ['.'],
}

/**
 * Generates a client from the document in a new folder beside `programs/`. Copies the generator's test program into it.
 * Returns the folder. If the generator fails, throws an error with its output.
 */
export async function generateClient(generator: Generator, document: string, url: string): Promise<string> {
  const folder = await mkdtemp(join(PACKAGE, 'generated-'))
  const orval = { papermoon: { input: 'openapi.json', output: { target: 'client.ts', client: 'fetch', baseUrl: url } } }
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(orval)}\n`)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await copyFile(join(PACKAGE, 'programs', `${generator}.ts`), join(folder, 'program.ts'))
  await runIn(folder, GENERATORS[generator])
  return folder
}

/** Compiles the client and the program that uses it. Throws the compiler's errors, if there are any. */
export const checkTypes = (folder: string): Promise<void> => runIn(folder, ['tsc', '--project', '.'])

async function runIn(cwd: string, [command, ...args]: readonly [string, ...string[]]): Promise<void> {
  const program = join(PACKAGE, 'node_modules', '.bin', command)
  await run(program, args, { cwd, timeout: MAX_MS }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${command} failed\n${error.stdout}\n${error.stderr}`, { cause: error })
  })
}
