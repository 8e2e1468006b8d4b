import { join } from 'node:path'
import { createTestMarket } from '@papermoon/engine/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { asOnlyBackup } from '../../src/features/backup/keep-backups.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const market = await createTestMarket()
afterAll(() => market.close())

describe('npm run backup', () => {
  const env = () => ({ DATABASE_URL: market.connectionString, DATA_DIR: temporaryFolder() })

  it('refuses arguments that it does not know, and a place that it cannot use', async () => {
    const [none, unknown] = await Promise.all([
      runCommand('backup', [], env()),
      runCommand('backup', ['--fast'], env()),
    ])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Name a place for the backup: .+\n$/) })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: papermoon backup/) })
    expect(await runCommand('backup', ['s3://bucket'], env())).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^s3:\/\/bucket needs BACKUP_S3_URL.+\.\n$/),
    })
  })

  it('refuses to run beside another one', async () => {
    const end = await asOnlyBackup(market.pool, () =>
      runCommand('backup', [join(temporaryFolder(), 'backups'), '--logical'], env()),
    )
    expect(end).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Another process takes a backup of this database; try again when it is done.\n',
    })
  })
})
