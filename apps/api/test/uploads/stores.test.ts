import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'minio'
import { afterAll, describe, expect, it } from 'vitest'
import { createObjectSweep } from '../../src/features/uploads/sweep-objects.ts'
import { aPng } from '../support/pictures.ts'
import { startS3 } from '../support/s3-server.ts'
import { errorsIn } from '../support/test-server.ts'
import { createUploadServer, openNode, put } from '../support/uploader.ts'

const BUCKET = 'moon-pictures'

const s3 = await startS3()
afterAll(() => s3.close())
const { hostname: endPoint, port } = new URL(s3.origin)
const keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' }
const client = new Client({ endPoint, port: Number(port), useSSL: false, ...keys })

async function namesInBucket(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of client.listObjectsV2(BUCKET, folder, true)) names.push(name)
  return names
}

describe.each([
  ['a folder', {}],
  ['S3', { S3_URL: s3.toUrl(BUCKET) }],
])('pictures in %s', async (where, env) => {
  const server = await createUploadServer(env)
  const player = await server.player()
  afterAll(async () => {
    expect(errorsIn(server)).toEqual([])
    await server.close()
  })
  const folder = join(server.app.platform.config.dataDir, 'objects')
  const namesIn = async (name: 'uploads' | 'pictures') => {
    if (where === 'S3') return await namesInBucket(`${name}/`)
    const names = await readdir(join(folder, name)).catch(() => [])
    return names.map((one) => `${name}/${one}`)
  }

  it('are sent to a URL of this server, once, with at most 5,242,880 bytes, on any node', async () => {
    const other = await openNode(server)
    const url = await server.uploadUrl(player)
    expect(new URL(url).pathname).toMatch(/^\/objects\/uploads\/\d+-[0-9a-f]{32}$/)
    const elsewhere = url.replace(server.origin, other.origin)
    const [fits, tooLarge] = [Buffer.alloc(5_242_880), Buffer.alloc(5_242_881)]
    const before = await namesIn('uploads')
    expect([(await put(url, tooLarge)).status, (await put(elsewhere, tooLarge)).status]).toEqual([413, 413])
    expect(await namesIn('uploads')).toEqual(before)
    const statuses = await Promise.all([url, elsewhere, url, elsewhere].map(async (at) => (await put(at, fits)).status))
    expect(statuses.sort()).toEqual([200, 409, 409, 409])
    const again = await put(elsewhere, fits)
    expect(await again.text()).toBe('This upload URL was already used. Please request a new one.')
    expect(await server.take(player, url)).toMatchObject({ status: 415 })
    await other.close()
  })

  it('are stored, and nothing of the upload is left', async () => {
    const before = await namesIn('uploads')
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'navy' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    expect(await namesIn('pictures')).toContain(profilePictureUrl.replace('/objects/', ''))
    const served = await server.fetchPicture(player)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await namesIn('uploads')).toEqual(before)
  })

  it('are swept an hour after they were replaced, like unused uploads', async () => {
    await put(await server.uploadUrl(player), 'never used')
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'olive' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    expect((await namesIn('pictures')).length).toBeGreaterThan(1)
    const sweep = createObjectSweep(server.app)
    expect(await sweep()).toBe(0)
    server.passTime(3_700_000)
    expect(await sweep()).toBeGreaterThan(0)
    expect(await namesIn('uploads')).toEqual([])
    expect(await namesIn('pictures')).toEqual([profilePictureUrl.replace('/objects/', '')])
    server.passTime(-3_700_000)
  })
})

const UNAVAILABLE = 'Could not store or read the picture. Please try again in a moment.'

describe('a store that cannot be used', () => {
  it('gets a sentence and a log line if it is a folder', async () => {
    const server = await createUploadServer()
    const { dataDir } = server.app.platform.config
    await rm(join(dataDir, 'objects'), { recursive: true, force: true })
    await writeFile(join(dataDir, 'objects'), 'a file where a folder should be')
    const asked = await (await server.player()).raw('POST', '/api/objects/upload', '')
    const picture = await fetch(`${server.origin}/objects/pictures/${'0'.repeat(64)}.webp`)
    expect([asked.statusCode, asked.body, picture.status, await picture.text()]).toEqual([
      ...[503, UNAVAILABLE],
      ...[503, UNAVAILABLE],
    ])
    expect(server.logs.filter((line) => line.msg?.includes('the object store')).length).toBe(2)
    await server.close()
  })

  it('gets a sentence if it is S3, and works again once S3 is back', async () => {
    const away = await startS3()
    await away.close()
    const orphan = await createUploadServer(away.env)
    const stranded = await orphan.player()
    const answer = await stranded.raw('POST', '/api/objects/upload', '')
    const picture = await fetch(`${orphan.origin}/objects/pictures/${'0'.repeat(64)}.webp`)
    expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([503, UNAVAILABLE, '5'])
    expect([picture.status, await picture.text()]).toEqual([503, UNAVAILABLE])
    expect(errorsIn(orphan)).toEqual([])

    const back = await startS3(Number(new URL(away.origin).port))
    const url = await orphan.uploadUrl(stranded)
    await back.close()
    expect((await put(url, await aPng())).status).toBe(503)
    const again = await startS3(Number(new URL(away.origin).port))
    expect((await put(url, await aPng())).status).toBe(200)
    expect(await orphan.take(stranded, url)).toMatchObject({ status: 200 })
    await orphan.close()
    await again.close()
  })
})

describe('an upload URL with S3', () => {
  it('never redirects a browser, whatever S3_PUBLIC_ENDPOINT says', async () => {
    const behind = await createUploadServer({ ...s3.env, S3_PUBLIC_ENDPOINT: 'https://pictures.papermoon.example' })
    const url = await behind.uploadUrl(await behind.player())
    const policy = (await fetch(`${behind.origin}/`)).headers.get('content-security-policy')
    await behind.close()
    expect(new URL(url).origin).toBe(behind.origin)
    for (const origin of [s3.origin, 'pictures.papermoon.example']) expect(policy).not.toContain(origin)
  })
})
