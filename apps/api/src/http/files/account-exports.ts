import { addAbortSignal, Readable } from 'node:stream'
import type { UserId } from '@papermoon/engine'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { ExportBusyError } from '../../features/account/errors.ts'
import { EXPORT_PATH } from '../../features/account/export/export-seal.ts'
import { openExport } from '../../features/account/export/open-export.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { sendFailure } from '../error-response.ts'

/** Concurrent downloads; at most one per player. */
const EXPORTS_MAX = 3
/** Enough for a million trades over a slow phone connection. */
const EXPORT_MAX_MS = 30 * 60_000
/** A client that takes no byte for so long loses its slot. */
const STALL_MAX_MS = 30_000
/** Reads that a download counts for. */
const READS = 20

interface ExportRequest {
  Querystring: { expires?: unknown; seal?: unknown }
}

/** `/exports`: streams a player's own data as a download. */
export const accountExports = fp<{ app: App }>(
  async (fastify, { app }) => {
    const open = new Set<UserId>()
    fastify.get<ExportRequest>(
      EXPORT_PATH,
      { exposeHeadRoute: false, errorHandler: sendFailure },
      async (request, reply) => {
        const ctx = createHttpContext(app, request, reply)
        await app.limits.spend(ctx, 'read', READS)
        const { expires, seal } = request.query
        const { userId, pieces } = await openExport(ctx, { expires: String(expires), seal: String(seal) })
        if (open.has(userId) || open.size >= EXPORTS_MAX) throw new ExportBusyError()
        open.add(userId)
        const stream = Readable.from(pieces, { objectMode: false })
        addAbortSignal(AbortSignal.timeout(EXPORT_MAX_MS), stream)
        const cutOffIfStalled = () => {
          // Nothing is left unsent, so the client waits for us, not we for it.
          if (reply.raw.writableLength === 0) request.raw.socket.setTimeout(STALL_MAX_MS)
          else stream.destroy(new Error('nobody took a byte of an export'))
        }
        reply.raw.setTimeout(STALL_MAX_MS, cutOffIfStalled)
        stream.once('close', () => open.delete(userId))
        stream.once('error', (error) => request.log.warn({ err: error, userId }, 'an export broke off'))
        return reply
          .header('cache-control', 'no-store')
          .header('content-disposition', 'attachment; filename="papermoon-account.json"')
          .type('application/json; charset=utf-8')
          .send(stream)
      },
    )
  },
  { name: 'account-exports', dependencies: ['@fastify/cookie', 'security'] },
)
