import { Client } from 'minio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createObjectSweep } from '../src/features/uploads/sweep-objects.ts'
import { errorsIn, type Visitor } from './doors.ts'
import { aPng } from './pictures.ts'
import { type S3Server, startS3 } from './s3-server.ts'
import { createUploadServer, put, type UploadServer } from './uploader.ts'

const BUCKET = 'moon-pictures'

let s3: S3Server
let server: UploadServer
let player: Visitor
let client: Client
beforeAll(async () => {
  s3 = await startS3()
  server = await createUploadServer({ ...s3.env, S3_BUCKET: BUCKET })
  player = await server.player()
  const { hostname, port } = new URL(s3.origin)
  client = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
  })
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

describe('an upload address of S3', () => {
  it('is in the bucket of the settings, made when it is missing', async () => {
    const url = new URL(await server.uploadUrl(player))
    expect(url.origin).toBe(s3.origin)
    expect(url.pathname).toMatch(new RegExp(`^/${BUCKET}/uploads/\\d+-[0-9a-f]{32}$`))
    expect(url.searchParams.get('X-Amz-Expires')).toBe('600')
    expect(await client.bucketExists(BUCKET)).toBe(true)
  })

  it('is refused by S3 when it was changed', async () => {
    const url = new URL(await server.uploadUrl(player))
    const tampered = new URL(url)
    tampered.searchParams.set('X-Amz-Expires', '601')
    const elsewhere = new URL(url)
    elsewhere.pathname = elsewhere.pathname.replace('/uploads/', '/pictures/')
    const statuses = await Promise.all([tampered, elsewhere].map(async ({ href }) => (await put(href, 'bytes')).status))
    expect(statuses).toEqual([403, 403])
    expect((await put(url.href, 'bytes')).status).toBe(200)
  })

  it('is refused by S3 when it has expired', async () => {
    server.passTime(-601_000)
    const url = await server.uploadUrl(player)
    server.passTime(601_000)
    expect((await put(url, 'bytes')).status).toBe(403)
  })

  it('counts for its own bucket only', async () => {
    const url = new URL(await server.uploadUrl(player))
    await put(url.href, await aPng())
    const path = url.pathname
    expect(await server.take(player, path.replace(BUCKET, 'other-bucket'))).toMatchObject({ status: 404 })
    expect(await server.take(player, path.replace(BUCKET, 'objects'))).toMatchObject({ status: 404 })
    expect(await server.take(player, path)).toMatchObject({ status: 200 })
  })

  it('may have the bucket in the host’s name, as Amazon has it', async () => {
    const url = new URL(await server.uploadUrl(player))
    await put(url.href, await aPng())
    const address = `https://${BUCKET}.s3.amazonaws.com${url.pathname.replace(`/${BUCKET}`, '')}`
    expect(await server.take(player, address)).toMatchObject({ status: 200 })
  })

  it('is open to pages of ours by the content security policy', async () => {
    const policy = (await fetch(`${server.origin}/`)).headers.get('content-security-policy')
    expect(policy).toMatch(new RegExp(`connect-src [^;]*${s3.origin}(;| )`))
  })

  it('names the host that browsers reach', async () => {
    const front = 'https://pictures.papermoon.example'
    const behind = await createUploadServer({ ...s3.env, S3_PUBLIC_ENDPOINT: front })
    const url = await behind.uploadUrl(await behind.player())
    const policy = (await fetch(`${behind.origin}/`)).headers.get('content-security-policy')
    await behind.close()
    expect(new URL(url).origin).toBe(front)
    expect(policy).toContain(`${front};`)
    expect(policy).not.toContain(s3.origin)
  })
})

describe('the bucket', () => {
  it('holds the picture and nothing of the upload once it is used', async () => {
    const before = await namesIn('uploads/')
    const url = await server.uploadUrl(player)
    await put(url, await aPng({ background: 'navy' }))
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    const name = profilePictureUrl.replace('/objects/', '')
    expect((await client.statObject(BUCKET, name)).metaData).toMatchObject({ 'content-type': 'image/webp' })
    expect(await namesIn('uploads/')).toEqual(before)
  })

  it('is swept of old uploads and of pictures that nobody uses', async () => {
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

  it('that is out of reach is told in a sentence, and used when it is back', async () => {
    const away = await startS3()
    await away.close()
    const orphan = await createUploadServer(away.env)
    const stranded = await orphan.player()
    const answer = await stranded.raw('POST', '/api/objects/upload', '')
    const picture = await fetch(`${orphan.origin}/objects/pictures/${'0'.repeat(64)}.webp`)
    const sentence = 'Pictures cannot be stored or read for a moment. Please try again.'
    expect([answer.statusCode, answer.body, answer.headers['retry-after']]).toEqual([503, sentence, '5'])
    expect([picture.status, await picture.text()]).toEqual([503, sentence])
    expect(errorsIn(orphan)).toEqual([])

    const back = await startS3(Number(new URL(away.origin).port))
    const url = await orphan.uploadUrl(stranded)
    expect((await put(url, await aPng())).status).toBe(200)
    expect(await orphan.take(stranded, url)).toMatchObject({ status: 200 })
    await orphan.close()
    await back.close()
  })
})
