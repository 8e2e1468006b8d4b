import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findHome } from '../src/embedded/home.ts'
import { findSpool, listArchiveSettings, openSpool, removeSpool } from '../src/embedded/spool.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

function createStage() {
  const dataDir = join(temporaryFolder(), "o'hare 100%")
  const home = findHome(dataDir)
  const source = join(home.folder, 'file')
  writeFileSync(source, 'log')
  /** Does what PostgreSQL does with a full log file. */
  const archive = (name: string) => {
    const command = String(listArchiveSettings(home).archive_command)
    const filled = command.replaceAll('%p', '%P').replaceAll('%%', '%').replaceAll('%P', source).replaceAll('%f', name)
    const env = { PATH: `${join(home.folder, 'bin')}:${process.env.PATH}` }
    execFileSync('sh', ['-c', filled], { stdio: 'pipe', env })
  }
  /** Makes `df` report this much free space, in KB. */
  const setRoom = (room: string) => {
    const bin = join(home.folder, 'bin')
    mkdirSync(bin, { recursive: true })
    const text = `Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda 9 9 ${room} 90% /`
    writeFileSync(join(bin, 'df'), `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 })
  }
  return { dataDir, archive, setRoom }
}

it('stores files while a spool is open, and ignores them otherwise', () => {
  const { dataDir, archive } = createStage()
  archive('0001')
  expect(findSpool(dataDir)).toBeNull()
  const { folder, id } = openSpool(dataDir, '7-1')
  archive('0002')
  archive('0002')
  expect(readdirSync(folder).sort()).toEqual(['.id', '0002'])
  expect(readFileSync(join(folder, '0002'), 'utf8')).toBe('log')
  expect(openSpool(dataDir, '7-1')).toEqual({ folder, id })
  // Another system id opens the spool, as after a restore into the same folder.
  expect(openSpool(dataDir, '7-12').id).toMatch(/^7-12-/)
  expect(readdirSync(folder)).toEqual(['.id'])
  removeSpool(dataDir)
  archive('0003')
  expect(existsSync(folder)).toBe(false)
})

it('drops a full spool, and the next one gets another id', () => {
  const { dataDir, archive } = createStage()
  const { folder, id } = openSpool(dataDir, '7-1')
  for (let file = 0; file < 256; file++) writeFileSync(join(folder, `file-${file}`), '')
  // A power cut while an earlier spool is removed leaves this folder.
  mkdirSync(join(folder, '..', 'spool.full'))
  archive('0001')
  expect(findSpool(dataDir)).toBeNull()
  expect(readdirSync(join(folder, '..'))).toEqual([])
  expect(openSpool(dataDir, '7-1').id).not.toBe(id)
})

it('drops a spool if the disk is nearly full, but not if the free space is unknown', () => {
  const { dataDir, archive, setRoom } = createStage()
  openSpool(dataDir, '7-1')
  setRoom('262145')
  archive('0001')
  setRoom('-')
  archive('0002')
  expect(readdirSync(findSpool(dataDir)?.folder ?? '').sort()).toEqual(['.id', '0001', '0002'])
  setRoom('262143')
  archive('0003')
  expect(findSpool(dataDir)).toBeNull()
})
