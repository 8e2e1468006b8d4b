import type { UserId } from '@papermoon/engine'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { ExportBusyError } from '../../features/account/errors.ts'
import { EXPORT_PATH, openExport } from '../../features/account/records/account-export.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { sendFailure } from '../error-response.ts'
import { boundStream, DownloadSlots } from './download-slots.ts'

/** Max number of concurrent downloads. Each player can have one download at a time. */
const EXPORTS_MAX = 3
/** Number of reads as which a download counts. */
const READS = 20

interface ExportRequest {
  Querystring: { expires?: unknown; seal?: unknown }
}

/** `/exports`: lets a player download their own data. */
export const accountExports = fp<{ app: App }>(
  async (fastify, { app }) => {
    const open = new Set<UserId>()
    const slots = new DownloadSlots(app.platform.clock, EXPORTS_MAX)
    fastify.get<ExportRequest>(
      EXPORT_PATH,
      { exposeHeadRoute: false, errorHandler: sendFailure },
      async (request, reply) => {
        const ctx = createHttpContext(app, request, reply)
        await app.accounts.limits.spend(ctx, 'read', READS)
        const { expires, seal } = request.query
        const { userId, pieces } = await openExport(ctx, { expires: String(expires), seal: String(seal) })
        const stream = open.has(userId) ? null : slots.open(pieces)
        if (stream === null) throw new ExportBusyError()
        open.add(userId)
        boundStream(stream, reply, { wasFound: true })
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
