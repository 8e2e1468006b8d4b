import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The export of a migration file: its statements, or a function if they depend on the data. */
type MigrationFile = Migration | { readonly statements: readonly string[] }

/**
 * All migrations, by the name of their file. Migrations run in the order of their names. With the suffix `.compatible`,
 * older builds work on the new schema (`compatibleMark` in migrate.ts).
 */
export const migrations: Record<string, Migration> = Object.fromEntries(
  await Promise.all(
    readdirSync(join(import.meta.dirname, 'migrations'))
      .sort()
      .flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
      .map(async (name): Promise<[string, Migration]> => [name, toMigration(await import(`./migrations/${name}.ts`))]),
  ),
)

function toMigration(file: MigrationFile): Migration {
  if ('up' in file) return file
  return {
    up: async (db: Kysely<unknown>) => {
      for (const statement of file.statements) await sql.raw(statement).execute(db)
    },
  }
}
