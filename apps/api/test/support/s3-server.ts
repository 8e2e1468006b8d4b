import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** A real S3 server that checks signatures. */
export interface S3Server {
  readonly origin: string
  /** Settings of a Papermoon server that uses this S3 server. */
  readonly env: { readonly S3_URL: string }
  /** Returns the `S3_URL` for another bucket. If `bucket` is empty, returns the URL for `BACKUP_S3_URL`. */
  toUrl(bucket: string): string
  close(): Promise<void>
}

/** Starts an S3 server, by default on a free port. */
export async function startS3(at = 0): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'papermoon-s3-'))
  const s3 = new S3rver({ address: '127.0.0.1', port: at, directory, silent: true })
  const { port } = await s3.run()
  const origin = `http://127.0.0.1:${port}`
  const toUrl = (bucket: string) => `http://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}`
  return {
    origin,
    env: { S3_URL: toUrl('papermoon') },
    toUrl,
    close: async () => {
      await s3.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
