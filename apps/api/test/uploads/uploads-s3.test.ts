import { Client } from 'minio'
import { afterAll, describe, expect, it } from 'vitest'
import { createObjectSweep } from '../../src/features/uploads/sweep-objects.ts'
import { aPng } from '../support/pictures.ts'
import { startS3 } from '../support/s3-server.ts'
import { errorsIn } from '../support/test-server.ts'
import { createUploadServer, openNode, put } from '../support/uploader.ts'

const BUCKET = 'moon-pictures'

const s3 = await startS3()
const server = await createUploadServer({ S3_URL: s3.toUrl(BUCKET) })
const player = await server.player()
const { hostname, port } = new URL(s3.origin)
const client = new Client({
  endPoint: hostname,
  port: Number(port),
  useSSL: false,
  accessKey: 'S3RVER',
  secretKey: 'S3RVER',
})
afterAll(async () => {
  await server.close()
  await s3.close()
})

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of client.listObjectsV2(BUCKET, folder, true)) names.push(name)
  return names
}

describe('an upload URL with S3', () => {
  it('belongs to this server, and the file goes to the configured bucket, created if missing', async () => {
    const url = new URL(await server.uploadUrl(player))
    expect([url.origin, url.pathname]).toEqual([
      server.origin,
      expect.stringMatching(/^\/objects\/uploads\/\d+-[0-9a-f]{32}$/),
    ])
    expect((await put(url.href, 'bytes')).status).toBe(200)
    const name = url.pathname.replace('/objects/', '')
    expect(await client.statObject(BUCKET, name)).toMatchObject({ size: 5 })
  })

  it('takes one file of at most 5,242,880 bytes on any node', async () => {
    const other = await openNode(server)
    const url = await server.uploadUrl(player)
    const elsewhere = url.replace(server.origin, other.origin)
    const [fits, tooLarge] = [Buffer.alloc(5_242_880), Buffer.alloc(5_242_881)]
    const before = await namesIn('uploads/')
    expect([(await put(url, tooLarge)).status, (await put(elsewhere, tooLarge)).status]).toEqual([413, 413])
    expect(await namesIn('uploads/')).toEqual(before)
    const statuses = await Promise.all([url, elsewhere, url, elsewhere].map(async (at) => (await put(at, fits)).status))
    expect(statuses.sort()).toEqual([200, 409, 409, 409])
    expect((await put(elsewhere, fits)).status).toBe(409)
    expect(await server.take(player, url)).toMatchObject({ status: 415 })
    await other.close()
  })

  it('redirects no browser, whatever S3_PUBLIC_ENDPOINT says', async () => {
    const behind = await createUploadServer({ ...s3.env, S3_PUBLIC_ENDPOINT: 'https://pictures.papermoon.example' })
    const url = await behind.uploadUrl(await behind.player())
    const policy = (await fetch(`${behind.origin}/`)).headers.get('content-security-policy')
    await behind.close()
    expect(new URL(url).origin).toBe(behind.origin)
    for (const origin of [s3.origin, 'pictures.papermoon.example']) expect(policy).not.toContain(origin)
  })
})

describe('the bucket', () => {
  it('has the picture and nothing of a used upload', async () => {
    const before = await namesIn('uploads/')
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'navy' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    const name = profilePictureUrl.replace('/objects/', '')
    expect((await client.statObject(BUCKET, name)).metaData).toMatchObject({ 'content-type': 'image/webp' })
    const served = await server.fetchPicture(player)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await namesIn('uploads/')).toEqual(before)
  })

  it('is swept of old uploads and unused pictures', async () => {
    await put(await server.uploadUrl(player), 'never used')
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'olive' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    expect((await namesIn('pictures/')).length).toBeGreaterThan(1)
    const sweep = createObjectSweep(server.app)
    expect(await sweep()).toBe(0)
    server.passTime(3_700_000)
    expect(await sweep()).toBeGreaterThan(0)
    expect(await namesIn('uploads/')).toEqual([])
    expect(await namesIn('pictures/')).toEqual([profilePictureUrl.replace('/objects/', '')])
    server.passTime(-3_700_000)
  })

  it('that is unreachable is answered with a sentence, and works again when it is back', async () => {
    const away = await startS3()
    await away.close()
    const orphan = await createUploadServer(away.env)
    const stranded = await orphan.player()
    const answer = await stranded.raw('POST', '/api/objects/upload', '')
    const picture = await fetch(`${orphan.origin}/objects/pictures/${'0'.repeat(64)}.webp`)
    const sentence = 'Could not store or read the picture. Please try again in a moment.'
    expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([503, sentence, '5'])
    expect([picture.status, await picture.text()]).toEqual([503, sentence])
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
