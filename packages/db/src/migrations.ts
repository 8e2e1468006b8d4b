import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The export of a migration file: its statements, or a function if they depend on the data. */
type MigrationFile = Migration | { readonly statements: readonly string[] }

/**
 * Names of the migrations of 0.3.0, in order. In a new database, the last one creates the whole schema of 0.3.0. The
 * other names are also recorded, because 0.3.0 and its backups list them.
 */
export const BASELINE: readonly string[] = `
  0001-launchpad 0002-player-indexes 0003-hidden-tokens 0004-reset-codes-and-api-keys 0005-giveaway-windows
  0006-token-search 0007-hash-chains 0008-audits-and-heads 0009-large-holdings 0010-holdings-by-locks
  0011-forming-candles 0012-restorable-search 0013-keys-in-order 0014-reads-by-index 0015-account-standing
  0016-account-security 0017-second-factors 0018-proof-of-work 0019-account-records 0021-giveaway-signs 0022-uploads
  0023-bots.compatible 0024-holder-checkpoints.compatible 0025-home-lists.compatible 0026-notices.compatible
  0028-search-everything.compatible 0029-key-scopes.compatible 0030-webhooks.compatible 0032-engine-lease.compatible
  0033-event-positions.compatible 0034-engine-socket.compatible 0035-open-tokens.compatible 0036-tapes.compatible
  0037-seals.compatible 0038-stickers.compatible 0039-watchers.compatible 0040-fairs.compatible
  0042-fair-moments.compatible 0043-talk.compatible 0044-court.compatible 0045-kept-posts.compatible
  0050-waiting-orders.compatible 0051-depth.compatible 0052-in-force.compatible 0053-posts-by-time.compatible
  0055-ended-orders-of-a-token.compatible 0056-unseen-in-username-keys.compatible 0057-followers-by-time.compatible
  0058-gone-push-devices.compatible 0059-moderation-head.compatible 0060-fair-networks.compatible`
  .trim()
  .split(/\s+/)

/**
 * All migrations, by their name. Each migration after 0.3.0 has a file. Migrations run in the order of their names. With
 * the suffix `.compatible`, older builds work on the new schema (`compatibleMark` in migrate.ts).
 */
export const migrations: Record<string, Migration> = Object.fromEntries([
  ...BASELINE.map((name) => [name, { up: name === BASELINE.at(-1) ? createBaseline : async () => {} }] as const),
  ...(await Promise.all(
    readdirSync(join(import.meta.dirname, 'migrations'))
      .sort()
      .flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
      .map(async (name) => [name, toMigration(await import(`./migrations/${name}.ts`))] as const),
  )),
])

async function createBaseline(db: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(join(import.meta.dirname, 'baseline.sql'), 'utf8')).execute(db)
}

function toMigration(file: MigrationFile): Migration {
  if ('up' in file) return file
  return {
    up: async (db: Kysely<unknown>) => {
      for (const statement of file.statements) await sql.raw(statement).execute(db)
    },
  }
}
