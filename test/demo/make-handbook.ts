import { writeFileSync } from 'node:fs';
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { PDFDocument, StandardFonts } from 'pdf-lib';

/** Generates the two binary files of the demo handbook: `node test/demo/make-handbook.ts`. */

const folder = new URL('../../src/modules/demo/handbook/', import.meta.url);
const madeAt = new Date('2026-01-01T00:00:00Z');

const travelPages: { title: string; paragraphs: string[] }[] = [
  {
    title: 'Travel policy',
    paragraphs: [
      'This policy says how business trips are planned, booked and paid. It holds for everybody with a contract of employment.',
      'A trip is approved by your team lead before anything is booked. For trips outside the European Union the managing directors approve as well.',
      'Trains come first. A flight may be booked where the journey by train takes more than six hours.',
    ],
  },
  {
    title: 'Allowances',
    paragraphs: [
      'The meal allowance within Germany is 28 euro for a full day and 14 euro for the day of arrival and the day of departure.',
      'In Austria and Switzerland it is 50 euro and 64 euro for a full day.',
      'Hotels are paid up to 140 euro a night, breakfast included; in Munich, Hamburg and Zurich up to 190 euro.',
      'For your own car you are paid 0.30 euro a kilometre. Parking is paid against receipt.',
    ],
  },
  {
    title: 'Claiming expenses',
    paragraphs: [
      'Expenses are claimed within 30 days after the trip, with all receipts as photographs. What comes later is not paid.',
      'Claims up to 200 euro are paid with the next salary. Larger claims are paid within ten working days.',
      'A lost receipt is replaced by a statement of your own; it is accepted for at most 50 euro.',
    ],
  },
];

async function travelPolicy(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Travel policy');
  pdf.setCreationDate(madeAt);
  pdf.setModificationDate(madeAt);
  const [regular, bold] = [
    await pdf.embedFont(StandardFonts.Helvetica),
    await pdf.embedFont(StandardFonts.HelveticaBold),
  ];
  for (const { title, paragraphs } of travelPages) {
    const page = pdf.addPage([595, 842]);
    page.drawText(title, { x: 70, y: 750, size: 20, font: bold });
    let y = 710;
    for (const paragraph of paragraphs) {
      for (const line of linesOf(paragraph, (text) => regular.widthOfTextAtSize(text, 11), 455)) {
        page.drawText(line, { x: 70, y, size: 11, font: regular });
        y -= 16;
      }
      y -= 14;
    }
  }
  return pdf.save();
}

function linesOf(text: string, widthOf: (text: string) => number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

const heading = (text: string, level: (typeof HeadingLevel)[keyof typeof HeadingLevel]) =>
  new Paragraph({ text, heading: level });
const row = (cells: string[]) =>
  new TableRow({
    children: cells.map((text) => new TableCell({ children: [new Paragraph(text)] })),
  });

const employeeHandbook = new Document({
  title: 'Employee handbook',
  creator: 'Atrium',
  sections: [
    {
      children: [
        heading('Employee handbook', HeadingLevel.HEADING_1),
        new Paragraph(
          'Welcome. This handbook collects what holds for all of us. Where it is silent, ask your team lead.',
        ),
        heading('Working time', HeadingLevel.HEADING_2),
        new Paragraph(
          'The usual week has 38.5 hours. Core time is from 10:00 to 15:00, Monday to Thursday; on Fridays there is none.',
        ),
        new Paragraph(
          'Up to three days a week may be worked from home. The team agrees on one day on which everybody is in the office.',
        ),
        heading('Holiday', HeadingLevel.HEADING_2),
        new Paragraph(
          'Everybody has 30 days of paid holiday a year. Up to five days that are left can be taken until 31 March of the next year.',
        ),
        new Paragraph('Holiday of more than two weeks is asked for three months ahead.'),
        heading('Illness', HeadingLevel.HEADING_2),
        new Paragraph(
          'Who is ill tells the team lead before 9:00 on the first day. A doctor’s certificate is needed from the fourth day on. When a child is ill, up to ten days a year are paid.',
        ),
        heading('Notice periods', HeadingLevel.HEADING_2),
        new Table({
          rows: [
            row(['Years with us', 'Notice period']),
            row(['up to 2', 'four weeks to the end of a month']),
            row(['2 to 5', 'two months to the end of a month']),
            row(['more than 5', 'three months to the end of a quarter']),
          ],
        }),
        heading('Learning', HeadingLevel.HEADING_2),
        new Paragraph(
          'Each of us has 1,200 euro and four days a year for courses, books and conferences. The team lead agrees beforehand.',
        ),
      ],
    },
  ],
});

writeFileSync(new URL('travel-policy.pdf', folder), await travelPolicy());
writeFileSync(new URL('employee-handbook.docx', folder), await Packer.toBuffer(employeeHandbook));
