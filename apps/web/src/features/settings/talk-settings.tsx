import { useState } from 'react'
import { Ago } from '../../components/figures/moment.tsx'
import { Button } from '../../components/form/button.tsx'
import { Form } from '../../components/form/form.tsx'
import { Option, Options } from '../../components/form/option.tsx'
import { LongTextField } from '../../components/form/text-field.tsx'
import { Row } from '../../components/layout/managed-list.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type OwnAct, type OwnReport, trpc } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/api/server-now.ts'

/**
 * Settings for followers and blocked players, and a list of the moderators' decisions about the player's posts and
 * reports.
 */
export function TalkSettings() {
  const utils = trpc.useUtils()
  const follows = trpc.follows.list.useQuery().data
  const acts = trpc.reports.acts.useQuery(undefined, { refetchOnMount: 'always' })
  const reports = trpc.reports.mine.useQuery(undefined, { refetchOnMount: 'always' }).data ?? []
  const saved = {
    meta: { failure: 'Could not save the setting' },
    onSuccess: () => utils.follows.list.invalidate(),
  }
  const hide = trpc.follows.setHidden.useMutation(saved)
  const unblock = trpc.follows.unblock.useMutation(saved)
  return (
    <div id="talk">
      <Panel title="Talk">
        <Options legend="Your profile">
          <Option
            type="checkbox"
            title="Hide followers and posts"
            note="Only you can see your followers, who you follow and your list of posts"
            isOn={follows?.hidesFollows === true}
            isDisabled={follows === undefined}
            onChange={(hidesFollows) => hide.mutate({ hidesFollows })}
          />
        </Options>
        {follows !== undefined && follows.blocked.length > 0 && (
          <ul className="torn-top ruled" aria-label="Blocked players">
            {follows.blocked.map(({ id, username }) => (
              <Row key={id} title={`${username} is blocked`}>
                <Button look="quiet" onClick={() => unblock.mutate({ userId: id })}>
                  Unblock
                </Button>
              </Row>
            ))}
          </ul>
        )}
        {acts.data !== undefined && acts.data.length > 0 && (
          <ol className="torn-top ruled" aria-label="Moderators’ decisions">
            {acts.data.map((act) => (
              <ActRow key={act.id} act={act} onAppealed={() => void acts.refetch()} />
            ))}
          </ol>
        )}
        {reports.length > 0 && (
          <ol className="torn-top ruled" aria-label="Your reports">
            {reports.map((report) => (
              <ReportRow key={`${report.kind} ${report.id} ${report.at}`} report={report} />
            ))}
          </ol>
        )}
      </Panel>
    </div>
  )
}

const DONE: Readonly<Record<string, string>> = {
  hide: 'hidden',
  delete: 'deleted',
  release: 'no rule was broken',
  dismiss: 'no rule was broken',
  warn: 'the author was warned',
  mute: 'the author was muted',
  suspend: 'the author was suspended',
}

function ReportRow({ report: { kind, reason, at, outcome } }: { report: OwnReport }) {
  const state = outcome === null ? 'waiting for a moderator' : (DONE[outcome] ?? outcome)
  return <Row title={`You reported a ${kind}: ${reason}`} notes={[<When key="when" at={at} state={state} />]} />
}

const APPEALS = {
  open: 'your appeal is pending',
  granted: 'your appeal was granted',
  refused: 'your appeal was refused',
}

function ActRow({ act, onAppealed }: { act: OwnAct; onAppealed: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const state = act.appeal === null ? (act.isUndone ? 'undone' : null) : APPEALS[act.appeal]
  const mayAppeal = state === null && Date.parse(act.appealsUntil) > serverNow()
  const words = (
    <span key="words" dir="auto">
      {act.words}
    </span>
  )
  const when = <When key="when" at={act.at} state={state} />
  return (
    <Row title={`${act.act}: ${act.reason}`} notes={act.words === '' ? [when] : [words, when]}>
      {mayAppeal && !isOpen && (
        <Button look="quiet" onClick={() => setOpen(true)}>
          Appeal decision
        </Button>
      )}
      {mayAppeal && isOpen && <AppealForm id={act.id} onAppealed={onAppealed} />}
    </Row>
  )
}

function When({ at, state }: { at: string; state: string | null }) {
  return (
    <>
      <Ago time={at} />
      {state !== null && ` · ${state}`}
    </>
  )
}

function AppealForm({ id, onAppealed }: { id: number; onAppealed: () => void }) {
  const appeal = trpc.reports.appeal.useMutation({
    meta: { failure: 'Could not send the appeal' },
    onSettled: onAppealed,
  })
  return (
    <Form<'words'> className="grow-wrap grid gap-xs" onSend={({ words }) => appeal.mutate({ id, words })}>
      <LongTextField
        label="Why was the decision wrong? Another moderator will check it. You can appeal once."
        name="words"
        rows={3}
        maxLength={500}
        required
      />
      <Button type="submit">Send appeal</Button>
    </Form>
  )
}
