import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { type LogEntry, trpc } from '../../lib/api/api.ts'
import { Records } from './records.tsx'

/** Lists every moderation action for operators, and says whether the log's hash chain is intact. */
export function ModerationLog() {
  const [before, setBefore] = useState<number>()
  const query = trpc.admin.log.useQuery({ before }, { staleTime: 0, retry: false })
  const { entries, brokenAt = null } = query.data ?? {}
  const last = entries?.at(-1)
  return (
    <Records
      title="Log"
      query={{ ...query, data: entries }}
      form={
        query.data && (
          <div className="row gap-s wrap">
            <p className="dim">
              {brokenAt === null
                ? 'The log is complete and unchanged.'
                : `Log row ${brokenAt} was changed or is missing.`}
            </p>
            {before !== undefined && (
              <Button look="quiet" onClick={() => setBefore(undefined)}>
                Show newest
              </Button>
            )}
            {/* There is no older row than row 1. */}
            {last !== undefined && last.id > 1 && (
              <Button look="quiet" onClick={() => setBefore(last.id)}>
                Show older
              </Button>
            )}
          </div>
        )
      }
      head={(entry) => [`#${entry.id}`, describe(entry)]}
    />
  )
}

function describe({ at, actor, asRole, act, kind, targetId, concerned, words, reason, isUndone }: LogEntry): string {
  const about = concerned === null ? words && ` (${words})` : ` of ${concerned.username}`
  const parts = [
    `${at.slice(0, 16).replace('T', ' ')} ${actor?.username ?? asRole}: ${act} ${kind}`,
    targetId > 0 && ` ${targetId}`,
    about,
    reason && `, “${reason}”`,
    isUndone && ' (undone)',
  ]
  return parts.filter(Boolean).join('')
}
