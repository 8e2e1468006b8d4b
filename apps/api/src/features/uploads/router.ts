import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { createUpload } from './create-upload.ts'
import { setProfilePicture } from './set-profile-picture.ts'

export const uploadsRouter = router({
  create: implement(contract.uploads.create, ({ ctx }) => createUpload(ctx.app, ctx.userId)),
  setProfilePicture: implement(contract.uploads.setProfilePicture, ({ ctx, input }) =>
    setProfilePicture(ctx, ctx.userId, input.profilePictureUrl),
  ),
})
