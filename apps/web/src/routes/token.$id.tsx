import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/token/$id')({ component: () => null })
