import jsQR from 'jsqr'
import { renderToStaticMarkup } from 'react-dom/server'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { QrCode } from '../../src/components/form/qr-code.tsx'

/** Decodes the QR code like a camera. */
async function scan(text: string): Promise<string | undefined> {
  const drawn = renderToStaticMarkup(<QrCode text={text} label="a code" />)
  const [, picture = ''] = /svg\+xml,([^"]+)/.exec(drawn) ?? []
  const svg = decodeURIComponent(picture).replace('<svg ', '<svg width="400" height="400" ')
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
}

describe('QrCode', () => {
  it.each([
    'otpauth://totp/Papermoon:luna?issuer=Papermoon&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    `otpauth://totp/Papermoon:${encodeURIComponent('月'.repeat(32))}?issuer=Papermoon&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP`,
    'a',
  ])('is read back by a camera as the text that it was made of: %s', async (text) => {
    expect(await scan(text)).toBe(text)
  })

  it('has a name for screen readers', () => {
    const drawn = renderToStaticMarkup(<QrCode text="a" label="QR code for your app" />)
    expect(drawn).toContain('alt="QR code for your app"')
  })
})
