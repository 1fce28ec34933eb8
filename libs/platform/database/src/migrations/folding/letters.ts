/**
 * Lowercase letters of the Latin script, dashes and quotation marks, each group with its form in ASCII, as any-ascii 0.3.3 has them. The service
 * takes them from any-ascii. A migration means the same in years, so it has its own copy.
 */
const GROUPS = String.raw`
ƨ 2
ꜫ 3
ꜭ 4
ƽ 5
ƅↅ 6
« <<
» >>
æᴁᴂꞛꬱ ae
ðđƌȡɖɗᴅᴆᵭᶁᶑẟꝺꟈ𝼥 d
øɔɞɵᴏᴐᴑᴒᴓᴖᴗᶗⱷⱺꝍꞷꟁꬽꬾꬿ𝼛 o
þᵺ th
ħɦɧʜⱨⱶꜧꞕꟶ h
ĸǃɋʗʠꞯ𝼊𝼏 q
łƚƛȴɫɬɭʟᴌᶅↆⱡꝇꞎꟛꬷꬸꬹ𝼄𝼑𝼓𝼦 l
ŋꝿꬼ𝼇𝼔 ng
œɶʚᴔꞝꭀꭁꭂꭢ oe
ŧƫƭȶʇʈᴛᵵⱦꞇ𝼉𝼍𝼪 t
ƀƃɓʙᴃᴯᵬᶀꞗꞵ b
ƈǀȼɕᴄↄꞓꞔ𝼝 c
ƍƶȥɀʐʑᴢᵶᶎⱬꝣ z
ƒɸᵮᶂⅎꜰꝼꞙꟻꬵ f
ƕ hw
ƙʞᴋᶄⱪꞣ𝼃𝼐 k
ƞȵɲɳɴᴎᴻᵰᶇꞑꞥꬻ𝼧 n
ƣ gh
ƥᴘᵱᵽᶈꟼ p
ƪʃʆᶋᶘꭍ sh
ƴȝɏɥʎʏʮʯỿꭚ𝼆 y
ƹʕʢʻʽʿᴤᴥꜥ GRAVE
ƺʒʓᴣᶚ𝼘 zh
ƻʣʥꭦ dz
ƾʦꭧ ts
ƿɯɰʍᴟᴡⱳꟃꟺ w
ǁʖᶍꭓꭔꭕꭖꭗꭘꭙ𝼎 x
ǂ𝼋𝼌 qc
ǝɇɘəɛɜᴇᴈᶒᶓᶔᶕⱸⱻꬲꬳꬴ e
ǥɠɡɢɣʛᵷᵹᶃꞡꟑꬶ𝼁𝼂 g
ȣᴕ ou
ȷɉɟʄʝᴊ j
ȸ db
ȹ qp
ȿʂᵴᶊꜱꞅꞩꟊꟍꟗꟙ𝼞𝼩 s
ɂʔʡʹʼʾ‘’‛ꜣꝯꞌ '
ɍɹɺɻɼɽɾʀʁᴙᴚᵲᵳᶉⱹꝛꞃꞧꭅꭆꭇꭉꭋꭌꭨ𝼈𝼕𝼖𝼨 r
ɐɑɒʌᴀᶏᶐⱥꞻꬰꭤ a
ɚɝ er
ɤɷʉʊᴜᴝᴞᵾᵿᶙꞹꞿꭎꭏꭒ u
ɨɩɪɿʅᴉᵎᵻᵼᶖꞽꟷꟾ𝼚 i
ɮ𝼅 lzh
ɱᴍᵯᶆꟽꬺ m
ʋᴠᶌỽⱱⱴꝩ v
ʘ pc
ʤ𝼒𝼙 dzh
ʧ𝼗𝼜 tsh
ʨ tc
ʩ𝼀 fng
ʪ ls
ʫ lz
ʬꟕ ww
ʭ ]]
ʺ ''
֊־᐀᠆‐‒–—―⸚⹝ꞏ𐵮𐺭 -
ᵫꞟ ue
ẜẝꝭꝸ s.
ỻꞁ ll
“”‟ "
‹ <
› >
ↀ (|)
ↁ |))
ↂ ((|))
ↇ |)))
ↈ (((|)))
⸂⸃⸄⸅⸉⸊ +
⸌⸜ \
⸍⸝ /
⸗⹀゠ =
⸠ [
⸡ ]
⸺ --
⸻ ---
〜 ~
〰 :wavy_dash:
ꜩ tz
ꜯ 4,
ꜳ𐞀 aa
ꜵ ao
ꜷ au
ꜹꜻ av
ꜽ ay
ꜿ c.
ꝁꝃꝅ k.
ꝉꝲ l.
ꝋ o.
ꝏꭃꭄ oo
ꝑꝓꝕ p.
ꝗꝙ q.
ꝝꝵꝶ r.
ꝟ v.
ꝡ vy
ꝥꝧ th.
ꝫ &
ꝱ d.
ꝳ m.
ꝴ n.
ꝷ t.
꟏ 
ꟓ thth
ꟿ m'
ꭈꭊ rr
ꭐꭑ ui
ꭠ ia
ꭡ ie
ꭣ uo
`;

/** The form in ASCII of each of these letters. */
export const ASCII_FORMS: ReadonlyMap<string, string> = new Map(
  GROUPS.trim()
    .split('\n')
    .flatMap((line) => {
      const [letters = '', form = ''] = line.split(' ');
      return Array.from(letters, (letter) => [letter, form.replace('GRAVE', '`')] as const);
    }),
);
