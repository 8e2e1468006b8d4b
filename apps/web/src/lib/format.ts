export * from '@papermoon/figures'
