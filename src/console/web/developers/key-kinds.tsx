import { Card } from '../ui/card.tsx';
import { Table } from '../ui/table.tsx';

const kinds = [
  {
    name: 'User key',
    begins: 'sk_svc_',
    opens: 'Assistants, Assistant Files, clients of OpenAI, GraphQL: whatever its owner may do',
    madeBy: 'everybody, for themselves',
  },
  {
    name: 'Organization key',
    begins: 'sk_svc_um_',
    opens: 'User Management, Partner Sponsorship, GraphQL: as the organization',
    madeBy: 'its administrators',
  },
];

export function KeyKinds() {
  return (
    <Card title="Keys">
      <Table
        caption="The two kinds of keys"
        rows={kinds}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Key', cell: ({ name }) => <strong>{name}</strong> },
          {
            title: 'Begins with',
            cell: ({ begins }) => <code className="developers-prefix">{begins}</code>,
          },
          { title: 'Opens', cell: ({ opens }) => opens },
          { title: 'Made by', cell: ({ madeBy }) => madeBy },
        ]}
      />
      <p className="quiet">
        A key is shown once, when it is made, and is sent as <code>Authorization: Bearer …</code>.
        Keep it out of code that others can read; one that got into the wrong hands opens nothing
        from the moment it is revoked.
      </p>
    </Card>
  );
}
