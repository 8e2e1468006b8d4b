import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recoverCluster } from '../src/backup/recover.ts'
import { findHome } from '../src/embedded/home.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

async function* once<T>(value: T): AsyncIterable<T> {
  yield value
}

it('restores no file of a log that another name would put elsewhere', async () => {
  const dataDir = temporaryFolder()
  const recovered = recoverCluster(dataDir, {
    tar: once(Buffer.alloc(1_024)),
    label: '',
    password: 'secret',
    until: { lsn: 1 },
    log: once({ name: '../postgresql.conf', bytes: Buffer.from('shared_preload_libraries = theirs') }),
  })
  await expect(recovered).rejects.toThrow('The backup has ../postgresql.conf, which is no file of a log.')
  const { data } = findHome(dataDir)
  expect(readFileSync(join(data, 'postgresql.conf'), 'utf8')).toBe('')
})
