import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { useConfirmedMutation } from '../../components/form/confirmation.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type BoundInForce, client, type Inputs, trpc } from '../../lib/api/api.ts'
import { formatLongMoment } from '../../lib/format/moment-text.ts'
import { type Act, Acts, Records } from './records.tsx'

/** Max length that the server allows, in characters. */
const ANNOUNCEMENT_MAX = 200
const ONCE = { staleTime: 0, retry: false }

export function Tokens() {
  const [search, setSearch] = useState('')
  const query = trpc.admin.findTokens.useQuery({ search }, { ...ONCE, enabled: search !== '' })
  const hide = (tokenId: number, isHidden: boolean) => (reason: string) =>
    client.admin.hideToken.mutate({ tokenId, isHidden, reason })
  return (
    <Records
      title="Tokens"
      query={query}
      onSearch={setSearch}
      hint="Search for a token."
      head={({ id, title, note, state }) => [`#${id} ${title}`, `${note} · ${state}`]}
      detail={({ id, state }) => (
        <>
          <p className="dim">
            A hidden token does not appear in lists or search, and nobody can buy it. Holders can still sell it.
          </p>
          <Acts
            acts={[
              state === 'hidden'
                ? { label: 'Show token', run: hide(id, false) }
                : { label: 'Hide token', run: hide(id, true) },
            ]}
            onDone={() => void query.refetch()}
          />
        </>
      )}
    />
  )
}

export function Fairs() {
  const query = trpc.admin.fairs.useQuery(undefined, ONCE)
  const end = (fairId: number, isVoid: boolean) => (reason: string) =>
    client.admin.endFair.mutate({ fairId, isVoid, reason })
  return (
    <Records
      title="Fairs"
      query={query}
      head={({ id, title, note, state }) => [`#${id} ${title}`, `${note} · ${state}`]}
      detail={({ id, state }) =>
        state === 'void' ? (
          <p className="dim">This fair is void. Its results don’t count.</p>
        ) : (
          <Acts
            acts={[
              ...(state === 'settled' ? [] : [{ label: 'End the fair now', run: end(id, false) }]),
              { label: 'Void the fair', run: end(id, true) },
            ]}
            onDone={() => void query.refetch()}
          />
        )
      }
    />
  )
}

/** Lists the words that put a post on hold. */
export function Words() {
  const query = trpc.admin.words.useQuery(undefined, ONCE)
  const set = trpc.admin.setWord.useMutation({
    meta: { failure: 'Could not change the word list' },
    onSettled: () => void query.refetch(),
  })
  const add = ({ word }: { word: string }, form: HTMLFormElement) => {
    set.mutate({ word, isHeld: true })
    form.reset()
  }
  return (
    <Records
      title="Words"
      query={query}
      form={
        <Form className="row gap-s wrap" onSend={add}>
          <TextField
            name="word"
            aria-label="Word that holds posts for review"
            placeholder="Word"
            required
            maxLength={40}
          />
          <Button type="submit" look="quiet">
            Hold posts with this word
          </Button>
        </Form>
      }
      head={(word) => [word, '']}
      detail={(word) => (
        <Button look="quiet" onClick={() => set.mutate({ word, isHeld: false })}>
          Remove this word
        </Button>
      )}
    />
  )
}

export function SettingsInForce() {
  const query = trpc.admin.settings.useQuery(undefined, ONCE)
  const bounds = trpc.admin.bounds.useQuery(undefined, ONCE)
  return (
    <>
      <Records
        title="Limits"
        query={bounds}
        head={({ title, value, usual }) => [`${title}: ${value}`, value === usual ? '' : `default ${usual}`]}
        detail={(bound) => <Bound bound={bound} onChanged={() => void bounds.refetch()} />}
      />
      <Records title="Current settings" query={query} head={({ title, note }) => [title, note]} />
    </>
  )
}

interface BoundProps {
  readonly bound: BoundInForce
  readonly onChanged: () => void
}

function Bound({ bound: { bound, title, value, usual, min, max }, onChanged }: BoundProps) {
  const [typed, setTyped] = useState(String(value))
  const change = (label: string, to: number): Act => ({
    label,
    run: (reason) => client.admin.setBound.mutate({ bound, value: to, reason }),
  })
  return (
    <>
      <TextField
        type="number"
        label={title}
        description={`Enter a value from ${min} to ${max}. Every server node applies the change within seconds.`}
        value={typed}
        min={min}
        max={max}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Acts
        acts={[change('Change', Number(typed)), ...(value === usual ? [] : [change(`Reset to ${usual}`, usual)])]}
        onDone={onChanged}
      />
    </>
  )
}

export function AnnouncementForm() {
  const present = trpc.site.settings.useQuery().data?.announcement ?? null
  const [text, setText] = useState('')
  const [end, setEnd] = useState('')
  const mutation = useConfirmedMutation((input: Inputs['admin']['announce']) => client.admin.announce.mutate(input), {
    failure: 'Could not change the announcement',
    onSuccess: () => {
      setText('')
      setEnd('')
    },
  })
  const announce = (words: string | null) => {
    const endsAt = end === '' || words === null ? undefined : new Date(end).toISOString()
    mutation.mutate({ text: words, endsAt })
  }
  return (
    <Panel title="Announcement">
      <p className="p-m round-s on-raised text-l breaks pre-line" dir="auto">
        {present === null ? 'No announcement.' : present.text}
      </p>
      {present?.endsAt != null && <p className="dim">Until {formatLongMoment(present.endsAt)}</p>}
      {present !== null && (
        <div className="row gap-s wrap">
          <Button look="quiet" onClick={() => announce(null)}>
            Remove the announcement
          </Button>
        </div>
      )}
      <Form className="stack gap-m" onSend={() => announce(text)}>
        <TextField
          label={`Announcement for every page (${[...text].length} of ${ANNOUNCEMENT_MAX} characters)`}
          value={text}
          required
          autoComplete="off"
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <TextField
          label="End time (optional)"
          type="datetime-local"
          value={end}
          onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        />
        <Button type="submit" look="quiet">
          Publish announcement
        </Button>
      </Form>
    </Panel>
  )
}

export function Health() {
  const query = trpc.admin.health.useQuery(undefined, { ...ONCE, refetchInterval: 30_000 })
  return (
    <Records
      title="Health"
      query={query}
      head={({ title, note, isGood }) => [`${isGood ? '✓' : '⚠'} ${title}`, isGood ? note : `Needs attention. ${note}`]}
    />
  )
}
