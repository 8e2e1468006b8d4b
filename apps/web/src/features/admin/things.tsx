import { type FormEvent, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { client, trpc } from '../../lib/api/api.ts'
import { getSentence } from '../../lib/api/failure.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import classes from './admin.module.css'
import { Acts, Records } from './records.tsx'

const ONCE = { staleTime: 0, retry: false }

/** Tokens of the market, hidden and listed again. */
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
      hint="Look for a token."
      head={({ id, title, note, state }) => [`#${id} ${title}`, `${note} · ${state}`]}
      detail={({ id, state }) => (
        <>
          <p className={classes.dim}>Hidden from lists and search; those who hold it can only sell.</p>
          <Acts
            acts={[
              state === 'hidden'
                ? { label: 'List again', run: hide(id, false) }
                : { label: 'Hide', run: hide(id, true) },
            ]}
            onDone={() => void query.refetch()}
          />
        </>
      )}
    />
  )
}

/** Fairs, ended or made not to count. */
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
          <p className={classes.dim}>It does not count.</p>
        ) : (
          <Acts
            acts={[
              ...(state === 'settled' ? [] : [{ label: 'End now', run: end(id, false) }]),
              { label: 'Make void', run: end(id, true) },
            ]}
            onDone={() => void query.refetch()}
          />
        )
      }
    />
  )
}

/** Words that hold a post back. */
export function Words() {
  const query = trpc.admin.words.useQuery(undefined, ONCE)
  const set = async (word: string, isHeld: boolean) => {
    try {
      await client.admin.setWord.mutate({ word, isHeld })
    } catch (error) {
      showFailure('Not changed', getSentence(error), 'Please try again.')
    }
    void query.refetch()
  }
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void set(String(new FormData(form).get('word')), true)
    form.reset()
  }
  return (
    <Records
      title="Words"
      query={query}
      form={
        <form className={classes.keys} onSubmit={add}>
          <input
            name="word"
            className={classes.input}
            aria-label="A word to hold back"
            placeholder="A word"
            required
            maxLength={40}
          />
          <Button type="submit" look="quiet">
            Hold posts with it
          </Button>
        </form>
      }
      head={(word) => [word, '']}
      detail={(word) => (
        <Button look="quiet" onClick={() => void set(word, false)}>
          Take it off the list
        </Button>
      )}
    />
  )
}

/** Settings as they are in force. */
export function SettingsInForce() {
  const query = trpc.admin.settings.useQuery(undefined, ONCE)
  return <Records title="Settings in force" query={query} head={({ title, note }) => [title, note]} />
}

/** How the place is, in sentences. */
export function Health() {
  const query = trpc.admin.health.useQuery(undefined, { ...ONCE, refetchInterval: 30_000 })
  return (
    <Records
      title="Health"
      query={query}
      head={({ title, note, isGood }) => [`${isGood ? '✓' : '⚠'} ${title}`, isGood ? note : `Look at it. ${note}`]}
    />
  )
}
