import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from 'kysely/migration'

/**
 * All migrations by name, which is that of their file; they run in the order of their names. The suffix `.compatible` promises
 * that older builds work on the new schema: see `compatibleMark` in migrate.ts.
 */
export const migrations: Record<string, Migration> = Object.fromEntries(
  await Promise.all(
    readdirSync(join(import.meta.dirname, 'migrations'))
      .sort()
      .flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
      .map(async (name): Promise<[string, Migration]> => [name, await import(`./migrations/${name}.ts`)]),
  ),
)
