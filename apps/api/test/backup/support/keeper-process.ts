import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '@papermoon/db'
import { pino } from 'pino'
import { keepBackups } from '../../../src/features/backup/keep-backups.ts'
import { FolderLocation } from '../../../src/features/backup/location.ts'
import { Vault } from '../../../src/features/backup/vault.ts'
import { FileStore } from '../../../src/storage/file-store.ts'

/**
 * A node that keeps backups and reports what it does to its parent. With `--stuck` the audit of its first backup never
 * ends.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { stuck: { type: 'boolean' } } })
const [address = '', to = '', dataDir = ''] = positionals

await keepBackups({
  source: {
    database: connect(JSON.parse(address), { poolMax: 4 }),
    objects: new FileStore(join(dataDir, 'objects'), pino({ level: 'silent' })),
    dataDir,
    isEmbedded: true,
  },
  vault: new Vault(new FolderLocation(to), []),
  everyHours: 24,
  keep: 7,
  followsPictures: true,
  tickMs: 200,
  verify: async () => {
    process.send?.({ message: 'verifying' })
    if (values.stuck) await new Promise(() => {})
    return { trades: 0, tokens: 0, players: 0, differences: 0 }
  },
  report: (report) => void process.send?.(report),
})
