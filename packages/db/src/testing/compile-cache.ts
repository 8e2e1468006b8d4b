import { join } from 'node:path'

/**
 * For servers and commands that tests start: Node keeps compiled modules here, so each start but the first costs a third
 * less. Beside the packages, so that every user and copy of the repository has its own.
 */
export const compileCache: Readonly<Record<'NODE_COMPILE_CACHE', string>> = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
}
