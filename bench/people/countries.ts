import { allFakers } from '@faker-js/faker';

export type LocaleCode = keyof typeof allFakers;

export interface Country {
  readonly code: string;
  /** The locale of its people's names. A language without data uses the nearest one. */
  readonly locales: readonly LocaleCode[];
}

/** Every inhabited country of ISO 3166, the one with the most users first. */
const RANKED = `
  US:en_US,en_US,en_US,es_MX DE:de,de,de,tr FR:fr,fr,fr,ar GB:en_GB IN:en_IN BR:pt_BR,pt_PT ES:es IT:it PL:pl RU:ru CN:zh_CN
  JP:ja TR:tr,tr,tr,ku_kmr_latin MX:es_MX CZ:cs_CZ NL:nl CA:en_CA,en_CA,fr_CA UA:uk KR:ko ID:id_ID VN:vi AU:en_AU
  IL:he IR:fa SE:sv GR:el AR:es_MX,es,it EG:ar PT:pt_PT RO:ro HU:hu CH:de_CH,de_CH,fr_CH,it BE:nl_BE,fr_BE AT:de_AT
  CO:es_MX TW:zh_TW NG:en_NG,yo_NG PK:ur,ur,en_IN PH:es_MX,id_ID BD:en_IN,ur SA:ar ZA:zu_ZA,en_ZA,af_ZA TH:th MY:id_ID,zh_TW
  DK:da NO:nb_NO FI:fi IE:en_IE SK:sk CL:es_MX PE:es_MX VE:es_MX MA:ar,fr DZ:ar,fr RS:sr_RS_latin HR:hr BG:mk
  KZ:ru,uz_UZ_latin UZ:uz_UZ_latin HK:en_HK SG:en_HK,en_IN,id_ID AE:ar,en_IN IQ:ar,ku_ckb KE:zu_ZA,en ET:ar GH:en_GH
  NZ:en_AU LT:lv LV:lv EE:fi SI:sl_SI BY:ru,uk GE:ka_GE AM:hy AZ:az EC:es_MX GT:es_MX CU:es DO:es_MX BO:es_MX TN:ar
  LK:en_IN NP:ne,en_NP MM:th KH:th SY:ar LB:ar JO:ar KW:ar QA:ar OM:ar YE:ar SD:ar LY:ar PS:ar AF:fa TZ:zu_ZA UG:zu_ZA
  CM:fr_SN,en_NG CI:fr_SN SN:fr_SN CD:fr_SN AO:pt_PT MZ:pt_PT,zu_ZA ZM:zu_ZA ZW:zu_ZA,en MG:fr_SN ML:fr_SN BF:fr_SN
  NE:fr_SN,ar TD:fr_SN,ar GN:fr_SN RW:fr_SN BJ:yo_NG,fr_SN TG:fr_SN,en_GH BI:fr_SN SO:ar SL:en_GH,en_NG LR:en_GH,en
  HN:es_MX SV:es_MX NI:es_MX CR:es_MX PA:es_MX PY:es_MX UY:es,it PR:es_MX,en_US JM:en HT:fr TT:en,en_IN BA:hr,sr_RS_latin
  AL:sr_RS_latin MK:mk ME:sr_RS_latin MD:ro_MD,ru CY:el,tr MT:it,en LU:fr_LU,de IS:da MN:ru KG:ru,uz_UZ_latin
  TJ:fa,ru TM:tr,ru LA:th BT:ne MV:dv BH:ar MR:ar,fr_SN ER:ar DJ:ar,fr_SN NA:af_ZA,de BW:zu_ZA,en LS:zu_ZA SZ:zu_ZA
  MW:zu_ZA,en GM:fr_SN,en GW:pt_PT,fr_SN GQ:es,fr_SN GA:fr_SN CG:fr_SN CF:fr_SN CV:pt_PT ST:pt_PT KM:ar,fr SC:fr,en
  MU:en_IN,fr RE:fr YT:fr,ar SS:ar,zu_ZA EH:ar,es KP:ko MO:zh_TW,pt_PT TL:pt_PT,id_ID BN:id_ID PG:en FJ:en,en_IN SB:en
  VU:en,fr NC:fr PF:fr WS:en TO:en KI:en FM:en MH:en PW:en NR:en TV:en CK:en NU:en TK:en WF:fr GU:en_US,es_MX MP:en_US
  AS:en_US GY:en_IN,en SR:nl,en_IN GF:fr GP:fr MQ:fr BS:en BB:en LC:en GD:en VC:en AG:en DM:en KN:en AI:en VG:en VI:en_US
  MS:en TC:en KY:en BM:en AW:nl,es_MX CW:nl,es_MX SX:nl,en BQ:nl,es_MX MF:fr BL:fr BZ:en,es_MX FK:en GI:en,es
  SH:en PM:fr PN:en NF:en_AU CX:en_AU,zh_TW CC:en_AU,id_ID AD:es,fr MC:fr,it SM:it VA:it LI:de_CH FO:da GL:da AX:sv,fi
  SJ:nb_NO GG:en_GB JE:en_GB IM:en_GB
`;

function toLocale(code: string): LocaleCode {
  const isKnown = (locale: string): locale is LocaleCode => locale in allFakers;
  if (!isKnown(code)) throw new Error(`No names for locale ${code}`);
  return code;
}

function toCountry(entry: string): Country {
  const [code = '', locales = ''] = entry.split(':');
  return { code, locales: locales.split(',').map(toLocale) };
}

export const COUNTRIES: readonly Country[] = RANKED.trim().split(/\s+/).map(toCountry);
