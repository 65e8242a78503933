type Actor = {
  actorUser: { email: string } | null;
  actorUserId: string | null;
  actorKeyId: string | null;
};

/** Who did something, as far as that can still be told. */
export function actorName({ actorUser, actorUserId, actorKeyId }: Actor): string {
  if (actorUser) return actorUser.email;
  if (actorKeyId !== null) return 'A key';
  return actorUserId === null ? 'Atrium' : 'Somebody who has left';
}
