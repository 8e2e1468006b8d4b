import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Limits } from '../../src/features/developers/limits.tsx'

function draw(parameters: object): string {
  const client = new QueryClient()
  client.setQueryData(['parameters'], parameters)
  const drawn = (
    <QueryClientProvider client={client}>
      <MantineProvider>
        <Limits />
      </MantineProvider>
    </QueryClientProvider>
  )
  return renderToStaticMarkup(drawn)
    .replaceAll(/<style.*?<\/style>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

describe('the limits of the developers page', () => {
  it('include those of webhooks', () => {
    const rule = { calls: 30, seconds: 600 }
    const drawn = draw({
      ordersUnderWay: 8,
      bounds: {},
      rateLimits: [{ name: 'webhook', perAddress: null, perAccount: rule }],
    })
    expect(drawn).toContain('Webhook changes and tests no limit 30 in 10 min')
    expect(drawn).toContain('Orders in progress at a time no limit 8')
  })

  it('say how many orders may be pending, even if limits on calls are off', () => {
    const drawn = draw({ ordersUnderWay: 8, bounds: { waitingOrders: 50 }, rateLimits: [] })
    expect(drawn).toContain('has turned off all rate limits. An account can have 8 orders in progress at a time.')
    expect(drawn).toContain('Waiting orders waitingOrders 50')
  })
})
