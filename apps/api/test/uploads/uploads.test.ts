import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAvifOf, aPicture, aPng, denselyPackedPng } from '../support/pictures.ts'
import { errorsIn, type Visitor } from '../support/test-server.ts'
import { createUploadServer, put, type UploadServer } from '../support/uploader.ts'

const NOT_FOUND = 'There is no uploaded picture at this URL. Please upload the picture again.'
const NOT_A_PICTURE = 'We cannot read this file as a picture. Please choose a PNG, JPEG, WebP, GIF or AVIF.'

describe('an uploaded picture', () => {
  let server: UploadServer
  let player: Visitor
  beforeAll(async () => {
    server = await createUploadServer()
    player = await server.player()
  })
  afterAll(() => server?.close())

  /** Uploads bytes to an upload URL of the player. */
  async function upload(bytes: Buffer | string, type?: string): Promise<{ url: string; status: number }> {
    const url = await server.uploadUrl(player)
    const { status } = await put(url, bytes, type)
    return { url, status }
  }

  const currentPicture = async () => (await player.get('/api/auth/user')).json().profilePictureUrl

  it('becomes the player’s picture, 256 pixels square, as WebP', async () => {
    const { url, status } = await upload(await aPng())
    expect(status).toBe(200)
    expect(await server.take(player, url)).toMatchObject({ status: 200 })
    const picture = await server.fetchPicture(player)
    expect(await sharp(await picture.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 256,
      height: 256,
    })
  })

  it('is served under its content hash, immutable, as a picture only', async () => {
    const { url } = await upload(await aPng())
    const { profilePictureUrl } = JSON.parse((await server.take(player, url)).body)
    expect(profilePictureUrl).toMatch(/^\/objects\/pictures\/[0-9a-f]{64}\.webp$/)
    const { headers } = await fetch(`${server.origin}${profilePictureUrl}`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await fetch(`${server.origin}${profilePictureUrl}`, { method: 'HEAD' })).status).toBe(200)
  })

  it('is accepted with or without its query, once', async () => {
    const first = await upload(await aPng())
    expect(await server.take(player, first.url)).toMatchObject({ status: 200 })
    expect(await server.take(player, first.url)).toEqual({ status: 404, body: NOT_FOUND })
    const second = await upload(await aPng())
    expect(await server.take(player, second.url.split('?')[0] ?? '')).toMatchObject({ status: 200 })
  })

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'can be %s, whatever type it claims to be',
    async (format) => {
      const { url } = await upload(await aPicture().toFormat(format).toBuffer(), 'text/html')
      expect(await server.take(player, url)).toMatchObject({ status: 200 })
    },
  )

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['an SVG with an XML head', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a PDF', '%PDF-1.7\n1 0 obj <<>> endobj'],
    ['a script', '#!/bin/sh\necho'],
    ['noughts', Buffer.alloc(1_000)],
    ['the head of a PNG alone', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['a HEIC', Buffer.from('00000018667479706865696300000000686569636d696631', 'hex')],
  ])('is refused when it is %s, whatever type it says it has', async (_what, bytes) => {
    const before = await currentPicture()
    const { url } = await upload(bytes)
    expect(await server.take(player, url)).toEqual({ status: 415, body: NOT_A_PICTURE })
    expect(await server.take(player, url)).toEqual({ status: 404, body: NOT_FOUND })
    expect(await currentPicture()).toBe(before)
  })

  it('is rejected if it is truncated', async () => {
    const whole = await sharp({
      create: { width: 400, height: 400, channels: 3, background: 'red', noise: { type: 'gaussian' } },
    })
      .png()
      .toBuffer()
    const { url } = await upload(whole.subarray(0, whole.length / 2))
    expect(await server.take(player, url)).toEqual({ status: 415, body: NOT_A_PICTURE })
  })

  it('is rejected before decoding if few bytes contain too many pixels', async () => {
    const dense = await upload(denselyPackedPng({ width: 7_000, height: 7_000 }))
    expect(await server.take(player, dense.url)).toMatchObject({ status: 200 })
    const bomb = denselyPackedPng({ width: 8_000, height: 8_000 })
    expect(bomb.length).toBeLessThan(20_000)
    const { url } = await upload(bomb)
    expect(await server.take(player, url)).toEqual({
      status: 413,
      body: 'The picture has too many pixels. Please choose one of at most 51 megapixels.',
    })
  })

  it('is rejected as AVIF beyond 16 megapixels, because AVIF takes longest to decode', async () => {
    const take = async (size: { width: number; height: number }) =>
      await server.take(player, (await upload(await anAvifOf(size))).url)
    expect(await take({ width: 4_001, height: 4_000 })).toEqual({
      status: 413,
      body: 'The picture has too many pixels. Please choose one of at most 16 megapixels.',
    })
    // The server decodes this picture, which has fewer pixels than its header claims.
    expect(await take({ width: 4_000, height: 4_000 })).toEqual({ status: 415, body: NOT_A_PICTURE })
  })

  it('loses data appended to the picture', async () => {
    const polyglot = Buffer.concat([await aPng(), Buffer.from('<script>alert("hidden")</script>')])
    const { url } = await upload(polyglot, 'text/html')
    expect(await server.take(player, url)).toMatchObject({ status: 200 })
    expect(Buffer.from(await (await server.fetchPicture(player)).arrayBuffer()).includes('script')).toBe(false)
  })

  it('loses its metadata, such as its location, and is rotated upright', async () => {
    const blue = sharp({ create: { width: 200, height: 400, channels: 3, background: '#0000ff' } })
    const leftRed = await aPicture({ width: 400, height: 400 })
      .composite([{ input: await blue.png().toBuffer(), left: 200, top: 0 }])
      .withExif({ IFD0: { Copyright: 'secret-copyright' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(leftRed.includes('secret-copyright')).toBe(true)
    const { url } = await upload(leftRed, 'image/jpeg')
    await server.take(player, url)
    const picture = Buffer.from(await (await server.fetchPicture(player)).arrayBuffer())
    const { exif, xmp, iptc, icc, orientation } = await sharp(picture).metadata()
    expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
    expect(picture.includes('secret-copyright')).toBe(false)
    // Rotated right by 90°, so the left side is now at the top.
    const { data } = await sharp(picture)
      .resize(1, 2, { kernel: 'nearest' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [top, bottom] = [data.subarray(0, 3), data.subarray(3, 6)]
    expect([[...top].indexOf(Math.max(...top)), [...bottom].indexOf(Math.max(...bottom))]).toEqual([0, 2])
  })

  it('cannot be used by other players', async () => {
    const { url } = await upload(await aPng())
    const thief = await server.player()
    expect(await server.take(thief, url)).toEqual({ status: 403, body: 'Someone else uploaded this picture.' })
    expect(await server.take(server.visitor(), url)).toMatchObject({ status: 401 })
    expect(await server.take(player, url)).toMatchObject({ status: 200 })
  })

  it.each([
    ['a parent folder', (path: string) => path.replace('/uploads/', '/uploads/../uploads/')],
    ['an encoded parent folder', (path: string) => path.replace('/uploads/', '/uploads/%2e%2e/uploads/')],
    ['an encoded slash', (path: string) => path.replace('/uploads/', '/uploads%2f')],
    ['a path out of the store', (path: string) => `${path}/../../../etc/passwd`],
    ['a file of the server', () => '/etc/passwd'],
    ['a file URL', (path: string) => `file://${path}`],
    ['another folder', (path: string) => path.replace(/^\/[^/]+/, '/elsewhere')],
    ['another folder of the store', (path: string) => path.replace('/uploads/', '/pictures/')],
    ['a backslash', (path: string) => path.replace('/uploads/', '\\uploads\\')],
    ['an encoded null byte', (path: string) => `${path}%00`],
    ['a space', (path: string) => ` ${path}`],
    ['two addresses', (path: string) => `${path} ${path}`],
    ['another site without its scheme', (path: string) => `//evil.example${path}`],
    ['a script', (path: string) => `javascript:${path}`],
  ])('cannot be reached by %s', async (_what, trick) => {
    const { url } = await upload(await aPng())
    expect(await server.take(player, trick(new URL(url).pathname))).toEqual({ status: 404, body: NOT_FOUND })
    expect(await server.take(player, url)).toMatchObject({ status: 200 })
  })

  it('is never served in its original form', async () => {
    const { url } = await upload(await aPng())
    const key = url.split('?')[0]?.split('/').at(-1)
    for (const path of [
      `uploads/${key}`,
      `pictures/${key}`,
      `pictures/..%2fuploads%2f${key}`,
      'pictures/%2e%2e%2fsigning-key',
    ]) {
      expect((await fetch(`${server.origin}/objects/${path}`)).status).toBe(404)
    }
  })

  it('logs no errors', () => {
    expect(errorsIn(server)).toEqual([])
  })
})
