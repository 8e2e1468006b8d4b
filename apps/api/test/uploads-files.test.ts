import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockPicture, setPictureUrl } from '../src/features/uploads/store.ts'
import { createObjectSweep } from '../src/features/uploads/sweep-objects.ts'
import { errorsIn, type Visitor } from './doors.ts'
import { aPng } from './pictures.ts'
import { createUploadServer, put, type UploadServer } from './uploader.ts'

const NOT_VALID = '403 This upload address is not valid.'

let server: UploadServer
let player: Visitor
beforeAll(async () => {
  server = await createUploadServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  player = await server.player()
})
afterEach(() => {
  expect(errorsIn(server)).toEqual([])
})

const folder = () => join(server.app.config.dataDir, 'objects')
const uploads = async () => (await readdir(join(folder(), 'uploads'))).sort()
const answerTo = async (url: string, bytes: Buffer | string = 'bytes') => {
  const answer = await put(url, bytes)
  return `${answer.status} ${await answer.text()}`
}

describe('an upload address of this server', () => {
  it('takes one upload', async () => {
    const url = await server.uploadUrl(player)
    expect(await answerTo(url)).toBe('200 ')
    expect(await answerTo(url)).toBe('409 This upload address was used already. Please ask for a new one.')
  })

  it('takes one of many uploads at once', async () => {
    const url = await server.uploadUrl(player)
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerTo(url, Buffer.alloc(500_000, 'x'))))
    expect(answers.map((answer) => answer.slice(0, 3)).sort()).toEqual(['200', ...new Array(9).fill('409')])
  })

  it('is good for ten minutes', async () => {
    const [early, late] = [await server.uploadUrl(player), await server.uploadUrl(player)]
    server.passTime(595_000)
    expect(await answerTo(early)).toBe('200 ')
    server.passTime(10_000)
    expect(await answerTo(late)).toBe('403 This upload address has expired. Please ask for a new one.')
  })

  it('is refused when anything of it was changed', async () => {
    const url = new URL(await server.uploadUrl(player))
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url)
      change(copy)
      return copy.href
    }
    const signature = url.searchParams.get('signature') ?? ''
    const other = await server.uploadUrl(await server.player())
    const forged = [
      changed((copy) => copy.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))),
      changed((copy) => copy.searchParams.set('signature', (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1))),
      changed((copy) => copy.searchParams.set('signature', '')),
      changed((copy) => copy.searchParams.delete('signature')),
      changed((copy) => copy.searchParams.append('signature', signature)),
      changed((copy) => copy.searchParams.delete('expires')),
      changed((copy) => {
        copy.pathname = new URL(other).pathname
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

  it('refuses what is empty, and can be used again', async () => {
    const url = await server.uploadUrl(player)
    expect(await answerTo(url, '')).toBe('400 The file is empty.')
    expect(await answerTo(url)).toBe('200 ')
  })

  it('refuses what is too large without keeping it, whether it says its length or not', async () => {
    const url = await server.uploadUrl(player)
    const before = await uploads()
    const tooLarge = '413 The picture is too large. Please choose one of at most 5 MB.'
    expect(await answerTo(url, Buffer.alloc(5_242_881))).toBe(tooLarge)
    expect(await chunked(url, 6)).toBe(tooLarge)
    expect(await uploads()).toEqual(before)
    expect(await answerTo(url, Buffer.alloc(5_242_880))).toBe('200 ')
  })

  it('leaves the connection usable after refusing what came over it', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const url = await server.uploadUrl(player)
    expect(await chunked(url, 8, agent)).toMatch(/^413 /)
    expect(await chunked(url, 2, agent)).toBe('200 ')
    agent.destroy()
  })

  it('keeps nothing of what is broken off, and can be used again', async () => {
    const url = await server.uploadUrl(player)
    const before = await uploads()
    const sending = request(url, { method: 'PUT', headers: { 'content-length': 1_000 } })
    const broken = new Promise((resolve) => sending.once('error', resolve))
    sending.write('half')
    await until(async () => (await uploads()).length > before.length)
    sending.destroy()
    await broken
    await until(async () => (await uploads()).length === before.length)
    expect(await answerTo(url)).toBe('200 ')
  })

  it('is refused while eight uploads of the player wait to be used', async () => {
    for (let count = 0; count < 8; count++) expect(await answerTo(await server.uploadUrl(player))).toBe('200 ')
    const ninth = await server.uploadUrl(player)
    expect(await answerTo(ninth)).toBe('429 You have too many uploads that are not used. Please try again later.')
    const other = await server.uploadUrl(await server.player())
    expect(await answerTo(other)).toBe('200 ')
  })

  it('is for PUT only', async () => {
    const url = await server.uploadUrl(player)
    await put(url, 'bytes')
    for (const method of ['GET', 'POST', 'DELETE']) expect((await fetch(url, { method })).status).toBe(404)
  })

  it('is relative over tRPC, where a browser knows the rest', async () => {
    const { uploadURL } = (await player.mutate('uploads.create')).json().result.data.json
    expect(uploadURL).toMatch(/^\/objects\/uploads\/\d+-[0-9a-f]{32}\?expires=\d{10}&signature=[\w-]{43}$/)
  })

  it('stays good over a restart', async () => {
    const again = await createUploadServer({ DATA_DIR: server.app.config.dataDir })
    const url = await server.uploadUrl(player)
    expect(await answerTo(url.replace(server.origin, again.origin))).toBe('200 ')
    await again.close()
  })
})

describe('a folder that cannot be used', () => {
  it('is told in a sentence, whoever meets it, and to the log', async () => {
    const dataDir = join(server.app.config.dataDir, 'broken')
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'objects'), 'a file where a folder should be')
    const broken = await createUploadServer({ DATA_DIR: dataDir })
    const stranded = await broken.player()
    const ticket = `1-${'0'.repeat(32)}?expires=1&signature=x`
    const sentence = '503 Pictures cannot be stored or read for a moment. Please try again.'
    const asked = await stranded.raw('POST', '/api/objects/upload', '')
    expect(`${asked.statusCode} ${asked.body}`).toBe(sentence)
    expect(await answerTo(`${broken.origin}/objects/uploads/${ticket}`)).toBe(sentence)
    const picture = await fetch(`${broken.origin}/objects/pictures/${'0'.repeat(64)}.webp`)
    expect(`${picture.status} ${await picture.text()}`).toBe(sentence)
    expect(broken.logs.filter((line) => line.msg?.startsWith('the object store')).length).toBe(3)
    await broken.close()
  })
})

describe('pictures', () => {
  it('are asked for at a bounded rate', async () => {
    const limited = await createUploadServer({ RATE_LIMIT: 'on' })
    const eager = await limited.player()
    const statuses: number[] = []
    for (let count = 0; count < 41; count++) {
      statuses.push((await eager.raw('POST', '/api/objects/upload', '')).statusCode)
    }
    await limited.close()
    expect(statuses).toEqual([...new Array(40).fill(200), 429])
  })

  it('that were replaced are swept, those in use stay', async () => {
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
    expect(await statusesOf(addresses)).toEqual([200, 200, 200])
    server.passTime(3_700_000)
    await sweep()
    expect(await statusesOf(addresses)).toEqual([404, 200, 200])
  })

  it('that are taken while the sweep looks at them stay', async () => {
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'olive' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    const { id } = (await player.get('/api/auth/user')).json()
    await server.db.updateTable('users').set({ profile_picture_url: null }).where('id', '=', id).execute()
    server.passTime(3_700_000)

    const sweeping = await server.db.transaction().execute(async (tx) => {
      await lockPicture(tx, profilePictureUrl)
      const sweep = createObjectSweep(server.app)()
      // It found the picture unused; now it waits for whoever holds the lock.
      await until(async () => await somebodyWaits())
      await setPictureUrl(tx, id, profilePictureUrl)
      return { sweep }
    })
    await sweeping.sweep
    expect(await statusesOf([profilePictureUrl])).toEqual([200])
  })
})

describe('uploads that nobody used', () => {
  it('are swept after an hour, however many, with what is left of broken ones', async () => {
    await mkdir(join(folder(), 'uploads'), { recursive: true })
    const names = Array.from({ length: 1_100 }, (_, index) => `${index + 1}-${'f'.repeat(32)}`)
    await Promise.all(
      [...names, 'left.draft', 'left.part'].map((name) => writeFile(join(folder(), 'uploads', name), '')),
    )
    const sweep = createObjectSweep(server.app)
    await writeFile(join(folder(), 'pictures', 'notes-of-the-operator.txt'), 'mine')
    server.passTime(-24 * 3_600_000)
    await sweep()
    expect((await uploads()).length).toBeGreaterThan(1_100)
    server.passTime(48 * 3_600_000)
    await sweep()
    expect(await uploads()).toEqual([])
    expect(await readdir(join(folder(), 'pictures'))).toContain('notes-of-the-operator.txt')
  })
})

async function statusesOf(addresses: readonly string[]): Promise<number[]> {
  return await Promise.all(addresses.map(async (address) => (await fetch(`${server.origin}${address}`)).status))
}

async function somebodyWaits(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks join pg_database d on d.oid = database
    where d.datname = current_database() and locktype = 'advisory' and not granted`.execute(server.db)
  return rows.length > 0
}

/** Asks again and again; the test's own time limit ends it. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Sends so many megabytes without saying how many. */
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
