import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockPicture, setPictureUrl } from '../../src/features/uploads/store.ts'
import { createObjectSweep } from '../../src/features/uploads/sweep-objects.ts'
import { logIdOf, moderator, proveFactor, readData } from '../support/moderators.ts'
import { aPng } from '../support/pictures.ts'
import { errorsIn, type Visitor } from '../support/test-server.ts'
import { createFullServer, createUploadServer, put, type UploadServer } from '../support/uploader.ts'
import { waitForLocked } from '../support/wait.ts'

const NOT_VALID = '403 This upload URL is not valid.'

let server: UploadServer
let player: Visitor
beforeAll(async () => {
  server = await createUploadServer()
})
afterAll(() => server?.close())
beforeEach(async () => {
  player = await server.player()
})
afterEach(() => {
  expect(errorsIn(server)).toEqual([])
})

const folder = () => join(server.app.platform.config.dataDir, 'objects')
const uploads = async () => (await readdir(join(folder(), 'uploads'))).sort()
const incoming = async () => await readdir(join(server.app.platform.config.dataDir, 'incoming')).catch(() => [])
const answerTo = async (url: string, bytes: Buffer | string = 'bytes') => {
  const answer = await put(url, bytes)
  return `${answer.status} ${await answer.text()}`
}

describe('an upload address of this server', () => {
  it('is valid for ten minutes', async () => {
    const [early, late] = [await server.uploadUrl(player), await server.uploadUrl(player)]
    server.passTime(540_000)
    expect(await answerTo(early)).toBe('200 ')
    server.passTime(60_000)
    expect(await answerTo(late)).toBe('403 This upload URL has expired. Please request a new one.')
  })

  it('is refused when any part of it was changed', async () => {
    const url = new URL(await server.uploadUrl(player))
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url)
      change(copy)
      return copy.href
    }
    const signature = url.searchParams.get('signature') ?? ''
    const other = new URL(await server.uploadUrl(await server.player()))
    const forged = [
      changed((copy) => copy.searchParams.set('signature', (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1))),
      changed((copy) => copy.searchParams.set('signature', other.searchParams.get('signature') ?? '')),
      changed((copy) => copy.searchParams.set('signature', '')),
      changed((copy) => copy.searchParams.delete('signature')),
      changed((copy) => copy.searchParams.append('signature', signature)),
      changed((copy) => {
        copy.pathname = other.pathname
      }),
      changed((copy) => {
        copy.pathname = `${copy.pathname.slice(0, -1)}${copy.pathname.endsWith('0') ? '1' : '0'}`
      }),
    ]
    for (const address of forged) expect(await answerTo(address)).toBe(NOT_VALID)
    expect(await answerTo(url.href)).toBe('200 ')
  })

  it.each(['..%2f..%2fsigning-key', '%2e%2e%2fpictures%2fx.webp', '.', '1-x', `1-${'A'.repeat(32)}`, '%00', 'a%5cb'])(
    'cannot name a file such as %s',
    async (name) => {
      const { search } = new URL(await server.uploadUrl(player))
      expect(await answerTo(`${server.origin}/objects/uploads/${name}${search}`)).toMatch(/^40[34] /)
    },
  )

  it('refuses an empty file and can be used again', async () => {
    const url = await server.uploadUrl(player)
    expect(await answerTo(url, '')).toBe('400 The file is empty.')
    expect(await answerTo(url)).toBe('200 ')
  })

  it('refuses a file without a length that is too large, and keeps the connection usable', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const url = await server.uploadUrl(player)
    expect(await chunked(url, 8, agent)).toBe('413 The picture is too large. Please choose one of at most 5 MB.')
    expect(await incoming()).toEqual([])
    expect(await chunked(url, 2, agent)).toBe('200 ')
    agent.destroy()
  })

  it('stores nothing of an aborted upload and can be used again', async () => {
    const url = await server.uploadUrl(player)
    const sending = request(url, { method: 'PUT', headers: { 'content-length': 1_000 } })
    const broken = new Promise((resolve) => sending.once('error', resolve))
    sending.write('half')
    await until(async () => (await incoming()).length > 0)
    expect(await answerTo(url)).toMatch(/^409 /)
    sending.destroy()
    await broken
    await until(async () => (await incoming()).length === 0)
    await until(async () => (await answerTo(url)) === '200 ')
  })

  it('is rejected while eight uploads of the player are unused', async () => {
    for (let count = 0; count < 8; count++) expect(await answerTo(await server.uploadUrl(player))).toBe('200 ')
    const ninth = await server.uploadUrl(player)
    expect(await answerTo(ninth)).toBe('429 You have too many unused uploads. Please try again later.')
    const other = await server.uploadUrl(await server.player())
    expect(await answerTo(other)).toBe('200 ')
  })

  it('accepts only PUT', async () => {
    const url = await server.uploadUrl(player)
    await put(url, 'bytes')
    for (const method of ['GET', 'POST', 'DELETE']) expect((await fetch(url, { method })).status).toBe(404)
  })

  it('is relative over tRPC', async () => {
    const { uploadURL } = (await player.mutate('uploads.create')).json().result.data.json
    expect(uploadURL).toMatch(/^\/objects\/uploads\/\d+-[0-9a-f]{32}\?signature=[\w-]{43}$/)
  })
})

describe('uploads of all players together', () => {
  const megabyte = Buffer.alloc(1_000_000)

  it('have a quota: uploads that waited for minutes are evicted, otherwise new ones are refused', async () => {
    const small = await createFullServer()
    const getAnswer = async (url: string) => {
      const { status, headers } = await put(url, megabyte)
      return [status, headers.get('retry-after')]
    }
    const players = [await small.player(), await small.player()]
    const urls: string[] = []
    for (let count = 0; count < 10; count++) urls.push(await small.uploadUrl(players[count % 2] as Visitor))
    for (const url of urls) expect(await getAnswer(url)).toEqual([200, null])

    const [third, forth] = [await small.player(), await small.player()]
    const late = await small.uploadUrl(third)
    expect(await getAnswer(late)).toEqual([503, '60'])
    // An upload without a Content-Length reserves the maximum size.
    expect(await chunked(late, 1)).toMatch(/^503 The server has no space for more uploads right now/)

    small.passTime(121_000)
    const fresh = await small.uploadUrl(forth)
    expect(await getAnswer(fresh)).toEqual([200, null])
    // Only the oldest were evicted, and no more than needed.
    expect(await small.take(players[0] as Visitor, urls[0] ?? '')).toMatchObject({ status: 404 })
    expect(await small.take(players[1] as Visitor, urls[1] ?? '')).toMatchObject({ status: 415 })
    expect(await small.take(forth, fresh)).toMatchObject({ status: 415 })
    await small.close()
  })

  it('give their space back when they are used, refused or aborted', async () => {
    const small = await createUploadServer()
    const who = await small.player()
    const used = async () =>
      (await small.db.selectFrom('uploads').select('bytes').where('bytes', 'is not', null).execute()).map(
        ({ bytes }) => bytes,
      )
    const url = await small.uploadUrl(who)
    await put(url, megabyte)
    expect(await used()).toEqual([1_000_000])
    await small.take(who, url)
    expect(await used()).toEqual([])
    await chunked(await small.uploadUrl(who), 6)
    expect(await used()).toEqual([])
    await chunked(await small.uploadUrl(who), 2)
    expect(await used()).toEqual([2_097_152])
    await small.close()
  })

  it('never exceed the quota, also concurrently', async () => {
    const small = await createFullServer()
    const players = await Promise.all(Array.from({ length: 6 }, () => small.player()))
    const urls = await Promise.all(players.flatMap((who) => [1, 2, 3].map(() => small.uploadUrl(who))))
    const statuses = await Promise.all(urls.map(async (url) => (await put(url, megabyte)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 503)).toHaveLength(8)
    await small.close()
  })
})

describe('an unusable folder for arriving uploads', () => {
  it('gives a response with a sentence, and the URL can be tried again', async () => {
    const dataDir = join(server.app.platform.config.dataDir, 'nowhere-to-arrive')
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'incoming'), 'a file where a folder should be')
    const broken = await createUploadServer({ DATA_DIR: dataDir })
    const url = await broken.uploadUrl(await broken.player())
    expect(await answerTo(url)).toBe('503 Could not store or read the picture. Please try again in a moment.')
    await rm(join(dataDir, 'incoming'))
    expect(await answerTo(url)).toBe('200 ')
    await broken.close()
  })
})

describe('pictures', () => {
  it('are swept once they are replaced, and kept while in use', async () => {
    const [first, second] = [await aPng(), await aPng({ background: 'navy' })]
    const sharing = await server.player()
    const addresses: string[] = []
    for (const [who, picture] of [
      [player, first],
      [player, second],
      [sharing, second],
    ] as const) {
      const url = await server.uploadUrl(who)
      await put(url, picture)
      addresses.push(JSON.parse((await server.take(who, url)).body).profilePictureUrl)
    }
    const sweep = createObjectSweep(server.app)
    await sweep()
    expect(await getStatuses(addresses)).toEqual([200, 200, 200])
    server.passTime(3_700_000)
    await sweep()
    expect(await getStatuses(addresses)).toEqual([404, 200, 200])
  })

  it('survive the sweep if a player takes them at that moment', async () => {
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'olive' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    const id = await player.id()
    await server.db.updateTable('users').set({ profile_picture_url: null }).where('id', '=', id).execute()
    server.passTime(3_700_000)

    const sweeping = await server.db.transaction().execute(async (tx) => {
      await lockPicture(tx, profilePictureUrl)
      const sweep = createObjectSweep(server.app)()
      // The sweep has found the picture unused, and now waits for the lock.
      await waitForLocked(server.db, 1)
      await setPictureUrl(tx, id, profilePictureUrl)
      return { sweep }
    })
    await sweeping.sweep
    expect(await getStatuses([profilePictureUrl])).toEqual([200])
  })
})

describe('unused uploads', () => {
  it('are swept after an hour, however many, with the remains of aborted ones', async () => {
    await mkdir(join(folder(), 'uploads'), { recursive: true })
    const names = Array.from({ length: 1_100 }, (_, index) => `${index + 1}-${'f'.repeat(32)}`)
    await Promise.all(
      [...names, 'left.draft', 'left.part'].map((name) => writeFile(join(folder(), 'uploads', name), '')),
    )
    const sweep = createObjectSweep(server.app)
    await writeFile(join(folder(), 'pictures', 'notes-of-the-operator.txt'), 'mine')
    await writeFile(join(server.app.platform.config.dataDir, 'incoming', 'left-by-a-crash'), '')
    await server.uploadUrl(player)
    server.passTime(-24 * 3_600_000)
    await sweep()
    expect((await uploads()).length).toBeGreaterThan(1_100)
    server.passTime(48 * 3_600_000)
    await sweep()
    expect([await uploads(), await incoming()]).toEqual([[], []])
    expect(await server.db.selectFrom('uploads').select('key').execute()).toEqual([])
    expect(await readdir(join(folder(), 'pictures'))).toContain('notes-of-the-operator.txt')
  })
})

describe('a picture that a moderator hid', () => {
  it('is restored by a granted appeal, and swept once an appeal is no longer possible', async () => {
    const mods = [await moderator(server, 'mod-one'), await moderator(server, 'mod-two')] as const
    const [kept, gone] = [await server.player(), await server.player()]
    const hide = async (who: Visitor, background: string) => {
      const url = await server.uploadUrl(who)
      await put(url, await aPng({ background }))
      const { profilePictureUrl } = JSON.parse((await server.take(who, url)).body)
      await player.post('/api/reports', { kind: 'picture', id: await who.id(), reason: 'hate' })
      const [{ id: caseId }] = (await readData(mods[0], 'admin.cases')).cases
      const logId = logIdOf(await mods[0].mutate('admin.decide', { caseId, act: 'hide', reason: 'House rules' }))
      return { profilePictureUrl, logId }
    }
    const [mine, other] = [await hide(kept, 'teal'), await hide(gone, 'indigo')]
    const addresses = [mine.profilePictureUrl, other.profilePictureUrl]
    await kept.post(`/api/reports/acts/${mine.logId}/appeal`, { words: 'It is a teal square' })
    const sweepAfter = async (ms: number) => {
      server.passTime(ms)
      await createObjectSweep(server.app)()
      return await getStatuses(addresses)
    }
    await sql`update sessions set expires_at = '2099-01-01'`.execute(server.db)
    expect(await sweepAfter(29 * 24 * 3_600_000)).toEqual([200, 200])
    expect(await sweepAfter(2 * 24 * 3_600_000)).toEqual([200, 404])
    await proveFactor(server, await mods[1].id())
    await mods[1].mutate('admin.answerAppeal', { id: mine.logId, isGranted: true, reason: 'Right' })
    expect((await server.fetchPicture(kept)).status).toBe(200)
  })
})

async function getStatuses(addresses: readonly string[]): Promise<number[]> {
  return await Promise.all(addresses.map(async (address) => (await fetch(`${server.origin}${address}`)).status))
}

/** Polls until the condition is true. The test's time limit ends it otherwise. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Uploads this many megabytes without a Content-Length, and returns the status and the body of the response. */
async function chunked(url: string, megabytes: number, agent = new Agent()): Promise<string> {
  return await new Promise((resolve, reject) => {
    const sending = request(url, { method: 'PUT', agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(`${answer.statusCode} ${Buffer.concat(chunks)}`))
    })
    sending.once('error', reject)
    for (let count = 0; count < megabytes; count++) sending.write(Buffer.alloc(1_048_576))
    sending.end()
  })
}
