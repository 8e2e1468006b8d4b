import { Client } from 'minio'
import type { S3Config } from '../config.ts'

export function createS3Client(config: Omit<S3Config, 'bucket'>): Client {
  const { hostname, port, protocol } = new URL(config.endpoint)
  return new Client({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    useSSL: protocol === 'https:',
    ...(port !== '' && { port: Number(port) }),
    accessKey: config.accessKey,
    secretKey: config.secretKey,
    region: config.region,
    // Disable retries, because callers retry themselves, and the client would log its retries to the console.
    retryOptions: { disableRetry: true },
  })
}

/** Creates the bucket if it is missing. */
export async function makeBucket(client: Client, { bucket, region }: S3Config): Promise<void> {
  if (await client.bucketExists(bucket)) return
  await client.makeBucket(bucket, region).catch((error: unknown) => {
    // Ignore the error if another node created the bucket meanwhile.
    if (getErrorCode(error) !== 'BucketAlreadyOwnedByYou') throw error
  })
}

/** Returns whether S3 responded that the object does not exist. */
export function isMissingObject(error: unknown): boolean {
  return getErrorCode(error) === 'NoSuchKey' || getErrorCode(error) === 'NotFound'
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
