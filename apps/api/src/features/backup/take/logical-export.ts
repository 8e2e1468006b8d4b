import type { DatabaseAddress } from '@papermoon/db'
import { openExport } from '@papermoon/db/backup'
import type { LogicalManifest, Taken } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'

/** Copies the rows of all tables at one moment: for databases whose files and WAL are not ours, such as managed ones. */
export async function takeExport(vault: Vault, id: string, address: DatabaseAddress): Promise<Taken<LogicalManifest>> {
  const source = await openExport(address)
  try {
    const tables: LogicalManifest['tables'] = []
    let all = 0
    for (const { name, columns } of source.tables) {
      const { plainBytes, ...file } = await vault.write(`${id}/${name}.copy`, source.read({ name, columns }))
      tables.push({ name, columns: [...columns], file })
      all += plainBytes
    }
    return { kind: 'logical', at: source.at, plainBytes: all, tables, sequences: await source.readSequences() }
  } finally {
    await source.close().catch(() => {})
  }
}
