import { once } from 'node:events'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { LOCK_IDS } from '../../src/database/take-lock.ts'
import { asOnlyBackup } from '../../src/features/backup/keep-backups.ts'

it('tells a backup that others may begin, when the connection that kept them away is lost', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const reason = await asOnlyBackup(market.pool, async (lost) => {
    expect(lost.aborted).toBe(false)
    const aborted = once(lost, 'abort')
    await sql`
      select pg_terminate_backend(l.pid)
        from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
       where l.locktype = 'advisory' and l.objid = ${LOCK_IDS.backupTaking}`.execute(market.db)
    await aborted
    return lost.reason
  })
  expect(reason).toMatchObject({ message: 'The connection that kept other backups away was lost.' })
})
