import { trpc } from '../../lib/api/api.ts'

export function Community() {
  const settings = trpc.site.settings.useQuery()
  return (
    <p>
      Bragging, mourning and the announcement of giveaways happen in the{' '}
      {settings.data === undefined ? (
        'community chat'
      ) : (
        <a href={settings.data.communityUrl} target="_blank" rel="noopener noreferrer">
          community chat<span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      )}
      . Nobody there will ever ask for your password, and if somebody does, they are not from here.
    </p>
  )
}
