import { createFileRoute } from '@tanstack/react-router'
import { TapeScreen } from '../features/tape/tape-screen.tsx'

export const Route = createFileRoute('/tape')({
  loader: ({ context }) => void context.cache.tape.today.prefetch(),
  component: TapeScreen,
})
