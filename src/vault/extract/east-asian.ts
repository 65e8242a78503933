import iconv from 'iconv-lite';

// The characters that make up most of everyday text.
const simplifiedChinese = [
  '，。、；：？！“”《》（）的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你',
  '对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定',
  '天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性',
  '知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西',
  '斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口',
  '认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资',
  '命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设',
  '式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运请办',
  '修改效单址联假申',
].join('');
const traditionalChinese = [
  '，。、；：？！「」《》（）的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你',
  '對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定',
  '天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性',
  '知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西',
  '斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口',
  '認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命',
  '山金指許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色',
  '路記南品住告類求據程北邊死張該交規萬取格望覺術領共確傳師觀清今切院讓識候帶導爭運請辦修改約',
  '效單址聯繫假申測試',
].join('');
const japaneseKanji = [
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相',
  '方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田',
  '当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受',
  '区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川',
  '向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨',
  '論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争',
  '談能無再位置企真流格有料申請休暇課修契精費',
].join('');
const korean = [
  '이다는에의을를가은하고로지기사한시어리도자으서대일인해제수정부그나과보장아스라전주구상여조',
  '성들동우원공만유소오치경안적비면신것했거할있되된됩니습까요세계연개관국교방실무문결재내행물',
  '약회분월년간번휴출청삼십천백용금급직식등록명날화목토험각생학입위업반복야와게마더모든러음려',
  '선최처발표통점형권당임영진중체타트드',
].join('');

const oneOf = (characters: string, others = '') => new RegExp(`[${characters}${others}]`, 'g');
// Kana and the signs of sentences.
const japanese = oneOf(japaneseKanji, '\\u3001-\\u3011\\u3041-\\u30FE');

type EastAsianEncoding = {
  /** The first bytes of the characters that the standard lists as common, before rare ones. */
  levels: readonly (readonly [from: number, to: number])[];
  frequent: RegExp;
};

const encodings: Record<string, EastAsianEncoding> = {
  gb18030: {
    levels: [
      [0xa1, 0xa1],
      [0xa3, 0xa3],
      [0xb0, 0xd7],
    ],
    frequent: oneOf(simplifiedChinese),
  },
  'big5-hkscs': { levels: [[0xa1, 0xc6]], frequent: oneOf(traditionalChinese) },
  shift_jis: {
    levels: [
      [0x81, 0x83],
      [0x88, 0x97],
    ],
    frequent: japanese,
  },
  'euc-jp': {
    levels: [
      [0xa1, 0xa1],
      [0xa3, 0xa5],
      [0xb0, 0xcf],
    ],
    frequent: japanese,
  },
  'euc-kr': {
    levels: [
      [0xa1, 0xa1],
      [0xa3, 0xa3],
      [0xb0, 0xc8],
    ],
    frequent: oneOf(korean),
  },
};

/** The names of the double-byte encodings. */
export const eastAsianEncodings = Object.keys(encodings);

/**
 * How unlikely the text is, by its characters; 0 for another encoding. Files in one of these
 * encodings often are valid in the others as well, but then consist of rare characters.
 */
export function rarityOf(bytes: Buffer, encoding: string): number {
  const found = encodings[encoding];
  if (!found) return 0;
  let characters = 0;
  let rare = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    characters += 1;
    // Single bytes are Katakana of half the width, which old systems used for lack of others.
    const isSingle = encoding === 'shift_jis' && lead >= 0xa1 && lead <= 0xdf;
    if (isSingle || !found.levels.some(([from, to]) => lead >= from && lead <= to)) rare += 1;
    if (!isSingle) at += 1;
  }
  const text = iconv.decode(bytes, encoding);
  const unusual = Math.max(0, characters - (text.match(found.frequent)?.length ?? 0));
  return rare + unusual / 4;
}
