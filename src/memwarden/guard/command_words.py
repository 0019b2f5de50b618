"""How people tell an agent to remember or to forget, in the languages of the users."""

from __future__ import annotations

import re

_POLITE = r"(?:(?:hey|hi|hello|ok(?:ay)?|also|and|so|btw|by the way|one more thing|please|pls|plz|kindly|just|yes|no|oh|actually|from now on|por favor|s'il (?:te|vous) pla[iî]t|bitte|कृपया|please|दया|దయచేసి|dayachesi)\b[\s,:!-]*)*"
_SEP = r"(?:\s*[:,;–—-]\s*|\s+)"


def compiled(patterns: tuple[str, ...], flags: re.RegexFlag = re.IGNORECASE) -> tuple[re.Pattern[str], ...]:
    """Compile sentences that may begin with a word of politeness."""
    return tuple(re.compile(_POLITE + pattern, flags | re.DOTALL) for pattern in patterns)


REMEMBER = compiled((
    # "remember to call" is a reminder, "remember when" and "remember me" are talk
    rf"(?:(?:can|could|will|would) you )?(?:remember|memori[sz]e)(?:\s+(?:this|the following|this about me))?(?:{_SEP}that\b[,:]?|\s*[:,–—-])\s*(?P<text>.+)",
    r"(?:remember|memori[sz]e)\s+(?P<text>(?:i|i'm|i've|i'd|my|we|our)\b.+)",
    r"(?:keep|bear|have)\s+(?:it\s+|this\s+)?in\s+(?:mind|memory)(?:\s+for (?:later|good|next time))?(?:\s+that\b|\s*[:,])\s*(?P<text>.+)",
    r"(?:don'?t|do not|never) forget\s+(?:that\b\s*|this\s*[:,]\s*|[:,]\s*)(?P<text>.+)",
    r"(?:don'?t|do not|never) forget\s+(?P<text>(?:i|i'm|i've|i'd|my|we|our)\b.+)",
    r"(?:(?:make|take) a note|note|take note|make a mental note)(?:\s+down)?(?:\s+that\b|\s*[:,])\s*(?P<text>.+)",
    r"note\s+(?P<text>(?:i|i'm|i've|my)\b.+)",
    r"(?:save|store|add|write)\s+(?:this\s+|it\s+)?(?:down\s+|in (?:your )?memory\s*|to (?:your )?memory\s*|in my profile\s*)(?:that\b|[:,])?\s*(?P<text>.+)",
    r"for (?:the record|future reference|next time|later|your (?:information|records|memory))\s*[:,]\s*(?P<text>.+)",
    # Hindi
    r"(?:(?:यह|ये)\s+)?याद\s+(?:रखना|रखो|रखिए|रखिएगा|रखें|रख)(?:\s*[,:]\s*|\s+कि\s+|\s+)(?P<text>.+)",
    r"मत\s+भूलना\s*(?:,|कि|:)\s*(?P<text>.+)",
    r"(?P<text>.+?)[,\s]+(?:यह\s+|ये\s+)?(?:याद\s+(?:रखना|रखो|रखिए|रखिएगा|रखें)|भूलना\s+मत|नोट\s+कर\s+लो)[।.!]*$",
    r"(?:yeh?\s+)?(?:yaad|yad)\s+(?:rakhna|rakho|rakhiye|rakhiyega|rakhein)(?:\s*[,:]\s*|\s+ki\s+|\s+)(?P<text>.+)",
    r"(?:mat\s+bhoolna|bhoolna\s+mat|bhulna\s+mat)(?:\s*[,:]\s*|\s+ki\s+)(?P<text>.+)",
    r"(?P<text>.+?)[,\s]+(?:yeh?\s+)?(?:(?:yaad|yad)\s+(?:rakhna|rakho|rakhiye)|bho?olna\s+mat|note\s+kar\s+l(?:o|ena))[.!]*$",
    # Telugu
    r"(?:ఇది\s+)?గుర్తు(?:పెట్టుకో|\s*పెట్టుకో|\s*ఉంచుకో|ంచుకో)(?:ండి)?(?:\s*[,:]\s*|\s+)(?P<text>.+)",
    r"(?P<text>.+?)[,\s]+(?:అని\s+)?(?:గుర్తు\s?(?:పెట్టుకో|ఉంచుకో|ంచుకో)(?:ండి)?|మర్చిపోకు|మరచిపోవద్దు)[.!]*$",
    r"(?:idi\s+)?gurtu\s?(?:pettuko|unchuko|nchuko)(?:ndi)?(?:\s*[,:]\s*|\s+)(?P<text>.+)",
    r"(?P<text>.+?)[,\s]+(?:ani\s+)?(?:gurtu\s?(?:pettuko|unchuko|nchuko)(?:ndi)?|march?ipoku|marchipovaddu)[.!]*$",
    # Tamil
    r"நினைவில்\s+(?:கொள்|வைத்துக்கொள்|வை)(?:ளுங்கள்)?\s*[,:]?\s*(?P<text>.+)",
    # Spanish, French, German, Portuguese, Italian
    r"(?:recuerda|acu[eé]rdate(?: de)?|ten en cuenta|no olvides|no te olvides de|recuerde|apunta|anota)(?:\s+que\b|\s*[:,])\s*(?P<text>.+)",
    r"(?:rappelle-toi|rappelez-vous|souviens-toi|souvenez-vous|retiens|retenez|n'oublie(?:z)? pas|note(?:z)?(?: bien)?|garde(?:z)? en m[eé]moire)(?:\s+que\b|\s+qu'|\s*[:,])\s*(?P<text>.+)",
    r"(?:merk(?:e)? dir|merken sie sich|denk(?:e)? daran|vergiss nicht|vergessen sie nicht|notier(?:e)?(?: dir)?|behalte)(?:\s+(?:bitte|dauerhaft))*\s*[,:]\s*(?:dass\s+)?(?P<text>.+)",
    r"(?:lembre(?:-se)?|lembra(?:-te)?|n[aã]o (?:se )?esque[cç]a|anote|anota|guarde)(?:\s+(?:de\s+)?que\b|\s*[:,])\s*(?P<text>.+)",
    r"(?:请|請)?(?:记住|記住|记得|别忘了)[，,：:]?\s*(?P<text>.+)",
    r"(?P<text>.+?)(?:ことを|と|を)?(?:覚えて(?:おいて)?(?:ください)?)[。.]*$",
    r"(?:تذكر|تذكري|احفظ)\s+(?:أن|أنني|أني)?\s*(?P<text>.+)",
))  # fmt: skip
"""Sentences that ask to remember what follows (or, in verb-final languages, precedes)."""

_ABOUT_ME = r"(?:(?:that )?(?:you(?:'ve| have)? (?:know|remember(?:ed)?|stored|saved|learn(?:ed|t))(?: about me)?|about me|on me))"

FORGET_EVERYTHING = compiled((
    rf"(?:forget|delete|erase|remove|clear|wipe)\s+(?:everything|all(?: of (?:it|that))?|all (?:my )?(?:memories|memory|data)|(?:my|your) (?:whole |entire )?memory|it all|all memories)(?:\s+{_ABOUT_ME})*(?:\s+(?:please|now))?\s*[.!]*",
    r"(?:forget|erase|delete)\s+(?:about\s+)?me(?:\s+(?:completely|entirely|please|now))?\s*[.!]*",
    r"(?:delete|erase|remove)\s+all\s+(?:my|the)?\s*(?:personal )?(?:data|information|memories)(?:\s+(?:you have|you hold|about me|on me))*\s*[.!]*",
    r"(?:मुझे|मेरे बारे में)\s+(?:सब\s*कुछ\s+)?(?:भूल जाओ|भूल जाइए|भूल जा)[।.!\s]*",
    r"मेरी\s+(?:सारी|सब)\s+(?:जानकारी|यादें)\s+(?:मिटा दो|हटा दो|डिलीट कर(?:ो| दो))[।.!\s]*",
    r"(?:mujhe|mere baare mein)\s+(?:sab ?kuc?hh?\s+)?(?:bhool jao|bhul jao|bhool jaiye)[.!\s]*",
    r"meri\s+(?:saari|sab)\s+(?:jankari|jaankari|yaadein|memory)\s+(?:mita do|hata do|delete kar(?:o| do))[.!\s]*",
    r"(?:నన్ను|నా గురించి)\s+(?:అంతా\s+|అన్నీ\s+|ప్రతిదీ\s+)?(?:మర్చిపో|మరచిపో|మర్చిపోండి)[.!\s]*",
    r"(?:nannu|naa? gurinchi)\s+(?:anta\s+|anni\s+)?(?:march?ipo|march?ipondi)[.!\s]*",
    r"(?:olv[ií]dame|olvida (?:todo|todo lo que sabes)(?: (?:de|sobre) m[ií])?|borra todo(?: lo que sabes)?(?: (?:de|sobre) m[ií])?)\s*[.!]*",
    r"(?:oublie(?:z)?-moi|oublie(?:z)? tout(?: (?:sur|de) moi| ce que tu sais(?: (?:sur|de) moi)?)?|efface(?:z)? tout(?: (?:sur|de) moi)?)\s*[.!]*",
    r"(?:vergiss mich|vergiss alles(?: (?:über|uber|ueber) mich)?|l[oö]sche? alles(?: (?:über|ueber) mich)?)\s*[.!]*",
    r"(?:esque[cç]a(?:-me)?(?: de mim)?|esque[cç]a tudo(?: sobre mim)?|apague tudo(?: sobre mim)?)\s*[.!]*",
    r"(?:请)?(?:忘记|忘掉|删除)(?:关于我的)?(?:一切|所有|全部)?(?:关于我的)?(?:信息|记忆|事情)?[。.!]*",
))  # fmt: skip
"""Whole sentences that ask for everything to be removed."""

FORGET = compiled((
    rf"(?:forget|unremember)(?:{_SEP}that\b[,:]?|\s+about\b|\s+the fact that\b|\s*[:,])\s*(?P<text>.+)",
    r"forget\s+(?P<text>(?:my|where|what|how|which|the|i|i'm|our)\b.+)",
    r"(?:delete|erase|remove|drop|clear)\s+(?:the\s+|that\s+|your\s+)?(?:memory|memories|note|entry|record)s?\s+(?:of|about|that|on|saying)\s+(?P<text>.+)",
    r"(?:delete|erase|remove|clear)\s+(?P<text>my\s+.+?)\s+(?:from|in) (?:your |the )?(?:memory|memories|profile|records?)\b.*",
    r"(?:don'?t|do not|no longer|stop)\s+remember(?:ing)?\s+(?:that\b\s*)?(?P<text>.+)",
    r"(?:don'?t|do not)\s+(?:keep|store|save)\s+(?P<text>my\s+.+)",
    r"(?P<text>(?:मेरा|मेरी|मेरे|यह).+?)\s+(?:भूल जाओ|भूल जाइए|भूल जा|हटा दो|मिटा दो)[।.!]*$",
    r"(?:भूल जाओ|भूल जाइए)\s+कि\s+(?P<text>.+)",
    r"(?P<text>(?:mera|meri|mere|yeh)\b.+?)\s+(?:bhool jao|bhul jao|bhool jaiye|hata do|mita do)[.!]*$",
    r"(?:bhool|bhul)\s+(?:jao|jaiye)\s+ki\s+(?P<text>.+)",
    r"(?P<text>(?:నా|ఇది).+?)\s+(?:మర్చిపో|మరచిపో|మర్చిపోండి|తొలగించు)[.!]*$",
    r"(?P<text>(?:naa?|idi)\b.+?)\s+(?:march?ipo|march?ipondi|tolaginchu)[.!]*$",
    r"(?:olvida|olv[ií]date de|borra)(?:\s+que\b)?\s+(?P<text>.+)",
    r"(?:oublie(?:z)?|efface(?:z)?)(?:\s+que\b|\s+qu')?\s+(?P<text>.+)",
    r"(?:vergiss|vergessen sie|l[oö]sche?)\s*,?\s*(?:dass\s+)?(?P<text>(?:ich|mein|meine|meinen|wo|was|dass)\b.+)",
    r"(?:esque[cç]a|apague)(?:\s+que\b)?\s+(?P<text>.+)",
    r"(?:请)?(?:忘记|忘掉|删除)(?P<text>我.+)",
))  # fmt: skip
"""Sentences that ask to forget one thing."""

_NOT_A_CALL = r"(?!(?:a|an|the|back|when|if|once|after|before|later|tomorrow|today|tonight|now|at|on|in|by|every|any|anytime|as soon|for|about|out|over|again|soon|maybe|next|this|that)\b)"

ORDERS = compiled((
    rf"(?:(?:always|just|only)\s+)*(?:call|address)\s+me\s+{_NOT_A_CALL}\S",
    r"(?:always\s+|only\s+|in future\s+)*(?:answer|reply|respond|write|speak|talk)\s+(?:to\s+)?(?:me\s+)?(?:always\s+|only\s+|back\s+)?in\s+\w+(?:\s\w+)?\s*[.!]*$",
    r"always\s+(?:answer|reply|respond|write|speak|talk|use|keep|give)\b.+",
    r"(?:always\s+)?keep\s+(?:it|your (?:answers|replies|responses)|(?:answers|replies|responses))\s+(?:short|brief|concise|detailed|simple)\s*[.!]*$",
    r"(?:मुझे\s+)?(?:हमेशा\s+)?\S+\s+में\s+(?:ही\s+)?(?:जवाब|उत्तर)\s+(?:दीजिए|दो|देना|दें)",
    r"मुझे\s+(?:जवाब\s+)?(?:हमेशा\s+)?\S+\s+में\s+(?:जवाब\s+)?(?:दीजिए|दो|देना|दें)",
    r"मुझे\s+\S+\s+(?:कहिए|कहो|बुलाओ|बुलाइए)",
    r"(?:mujhe\s+)?(?:hamesha\s+)?\w+\s+(?:mein|me)\s+(?:hi\s+)?(?:jawab|reply|answer)\s+(?:do|dena|dijiye|karo|karna)",
    r"mujhe\s+\w+\s+(?:kaho|kehna|bulao|bulana|kahiye|bolo)",
    r"(?:నాకు\s+)?(?:ఎప్పుడూ\s+)?(?:సమాధానాలు\s+)?\S+(?:లోనే|లో)\s+(?:సమాధానం\s+)?(?:ఇవ్వండి|ఇవ్వు|చెప్పండి)",
    r"నన్ను\s+\S+\s+అని\s+(?:పిలవండి|పిలువు|పిలు)",
    r"(?:naaku\s+|naku\s+)?(?:eppudu\s+)?\w+\s?(?:lone|lo)\s+(?:samadhanam\s+|javabu\s+)?(?:ivvandi|ivvu|cheppandi|cheppu)",
    r"nannu\s+\w+\s+ani\s+(?:pilavandi|piluvu|pilu)",
    r"(?:siempre\s+)?(?:resp[oó]ndeme|cont[eé]stame|h[aá]blame|escr[ií]beme)\s+(?:siempre\s+)?en\s+\w+|ll[aá]mame\s+[^\W\d_]",
    r"(?:r[eé]ponds-moi|r[eé]pondez-moi|parle-moi)\s+(?:toujours\s+)?en\s+\w+|appelle(?:z)?-moi\s+\w",
    r"(?:antworte|schreib|sprich)(?:\s+(?:mir|mit mir))?(?:\s+bitte)?\s+(?:immer\s+)?auf\s+\w+|nenn(?:e|en sie)? mich\s+\w",
    r"(?:me )?responda\s+(?:sempre\s+)?em\s+\w+|me chame de\s+\w",
    r"请?(?:始终|总是|一直)用\S{2,6}(?:回答|回复)",
))  # fmt: skip
"""Orders about form that are remembered without the word "remember"; the sentence is the statement."""
