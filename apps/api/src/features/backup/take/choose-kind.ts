import type { DatabaseClient } from '@papermoon/db'
import { hasPrograms } from '@papermoon/db/backup'
import { readServerFacts } from '../store.ts'

/** Why a database can only be exported; null if a base backup is possible. Continues "a logical export, since …". */
export async function findObstacle({ db }: DatabaseClient): Promise<string | null> {
  const facts = await readServerFacts(db)
  if (facts === null) return 'the server says nothing about itself'
  if (!facts.mayReplicate) return 'the role of DATABASE_URL has no REPLICATION'
  if (facts.walLevel === 'minimal') return 'wal_level is minimal'
  if (facts.tablespaces > 0) return 'the server has tablespaces'
  if (!hasPrograms(facts.major)) return `no PostgreSQL ${facts.major} is installed here to restore a base backup with`
  return null
}
