import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findHome } from '../src/embedded/home.ts'
import { findSpoolId, listArchiveSettings, openSpool, removeSpool } from '../src/embedded/spool.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

function createStage() {
  const dataDir = join(temporaryFolder(), "o'hare 100%")
  const home = findHome(dataDir)
  const source = join(home.folder, 'file')
  writeFileSync(source, 'log')
  /** What PostgreSQL does with a full file of its log. */
  const archive = (name: string) => {
    const command = String(listArchiveSettings(home).archive_command)
    const filled = command.replaceAll('%p', '%P').replaceAll('%%', '%').replaceAll('%P', source).replaceAll('%f', name)
    execFileSync('sh', ['-c', filled], { stdio: 'pipe' })
  }
  return { dataDir, archive }
}

it('takes files in where a spool was opened, and lets them go where none was', () => {
  const { dataDir, archive } = createStage()
  archive('0001')
  expect(findSpoolId(dataDir)).toBeNull()
  const { folder, id } = openSpool(dataDir)
  archive('0002')
  archive('0002')
  expect(readdirSync(folder).sort()).toEqual(['.id', '0002'])
  expect(readFileSync(join(folder, '0002'), 'utf8')).toBe('log')
  expect(openSpool(dataDir)).toEqual({ folder, id })
  removeSpool(dataDir)
  archive('0003')
  expect(existsSync(folder)).toBe(false)
})

it('gives up a spool that is full, whose successor has another name', () => {
  const { dataDir, archive } = createStage()
  const { folder, id } = openSpool(dataDir)
  for (let file = 0; file < 256; file++) writeFileSync(join(folder, `file-${file}`), '')
  // As a power cut leaves it while an earlier one is removed.
  mkdirSync(join(folder, '..', 'spool.full'))
  archive('0001')
  expect(findSpoolId(dataDir)).toBeNull()
  expect(readdirSync(join(folder, '..'))).toEqual([])
  expect(openSpool(dataDir).id).not.toBe(id)
})
