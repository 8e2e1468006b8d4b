import { parseArgs } from 'node:util'
import { connect } from '@papermoon/db'
import { pino } from 'pino'
import { keepBackups } from '../../../src/features/backup/keep/keep-backups.ts'
import { FolderPlace } from '../../../src/features/backup/place/folder-place.ts'
import { Vault } from '../../../src/features/backup/place/vault.ts'
import { FileStore } from '../../../src/storage/file-store.ts'

/** A node that keeps backups and tells its parent what it does. `--stuck`: it never ends the look at its first backup. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { stuck: { type: 'boolean' } } })
const [connectionString = '', to = '', pictures = ''] = positionals

await keepBackups({
  source: {
    database: connect({ connectionString }, { poolMax: 4 }),
    objects: new FileStore(pictures, pino({ level: 'silent' })),
    isEmbedded: false,
  },
  vault: new Vault(new FolderPlace(to), []),
  everyHours: 24,
  keep: 7,
  followsPictures: true,
  tickMs: 200,
  verify: async () => {
    process.send?.({ kind: 'verifying' })
    if (values.stuck) await new Promise(() => {})
    return { trades: 0, tokens: 0, players: 0, differences: 0 }
  },
  report: (report) => void process.send?.(report),
})
