type ChangeActor = {
  actorUser: { email: string } | null;
  actorUserId: string | null;
  actorKeyId: string | null;
};

/** The name of the person or key behind a change, as far as it is still known. */
export function actorName({ actorUser, actorUserId, actorKeyId }: ChangeActor): string {
  if (actorUser) return actorUser.email;
  if (actorKeyId !== null) return 'An organization key';
  return actorUserId === null ? 'Atrium' : 'A former member';
}
