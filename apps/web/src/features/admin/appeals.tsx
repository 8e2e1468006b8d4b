import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { trpc } from '../../lib/api/api.ts'
import classes from './admin.module.css'

export function Appeals() {
  const query = trpc.admin.appeals.useQuery(undefined, { staleTime: 0 })
  const mutation = trpc.admin.answerAppeal.useMutation({
    meta: { failure: 'Could not answer the appeal' },
    onSettled: () => void query.refetch(),
  })
  const answer = (id: number, isGranted: boolean) => {
    const reason = isGranted ? 'Your appeal was justified' : 'We checked the decision again and did not change it'
    mutation.mutate({ id, isGranted, reason })
  }
  if (query.data === undefined || query.data.length === 0) return null
  return (
    <Panel title={`Appeals (${query.data.length})`}>
      <ul className="bullets breaks">
        {query.data.map(({ id, player, words, act, reason, about, isOwn }) => (
          <li key={id} className={`grid gap-s ${classes.case}`}>
            <p className="dim">
              {player.username}: {act}
              {reason !== null && `, “${reason}”`}
            </p>
            {about !== null && <p className="p-m round-s on-raised text-l breaks pre-line">{about}</p>}
            <p dir="auto">{words}</p>
            {isOwn ? (
              <p className="dim">You made this decision, so another moderator must answer the appeal.</p>
            ) : (
              <div className="row gap-s wrap">
                <Button look="quiet" onClick={() => answer(id, true)}>
                  Grant appeal
                </Button>
                <Button look="quiet" onClick={() => answer(id, false)}>
                  Refuse appeal
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
