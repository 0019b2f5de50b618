"""How people switch memory off and on again, everywhere or in one conversation."""

from __future__ import annotations

import re

from memwarden.guard.command_words import compiled

_HERE = (
    r"(?:\s*,?\s*(?:in|for|during) (?:this|the present|the current) (?:conversation|chat|session|thread))?"
)
_THINGS = (
    r"(?:anything|things|stuff|what i (?:say|tell you|write)|it all)(?:\s+(?:about me|i say|i tell you))?"
)
_END = r"(?:\s*,?\s*(?:any ?more|any longer|from now on|for now|please))*\s*[.!]*"

SWITCH_OFF = compiled((
    rf"(?:don'?t|do not|never|stop)\s+(?:remember(?:ing)?|memori[sz](?:e|ing)|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)?)\s+{_THINGS}{_HERE}{_END}",
    rf"(?:turn|switch)\s+(?:(?:your |the |my )?memory\s+off|off\s+(?:your |the |my )?memory){_HERE}{_END}",
    rf"(?:disable|pause|stop|suspend)\s+(?:using\s+)?(?:your |the |my )?memory{_HERE}{_END}",
    rf"remember nothing(?: about me)?{_HERE}{_END}",
    rf"(?:don'?t|do not) (?:use|have) (?:your |any )?memory{_HERE}{_END}",
    r"(?:(?:इस|यह) (?:बातचीत|चैट) (?:में|का)\s+)?(?:मेरे बारे में\s+)?(?:कुछ भी|कुछ)\s+याद\s+(?:मत|न)\s+(?:रखना|रखो|रखिए|रखें)[।.!\s]*",
    r"(?:is (?:baatcheet|chat) (?:mein|me)\s+)?(?:mere baare mein\s+)?(?:kuc?hh? bhi|kuc?hh?)\s+ya?ad\s+(?:mat|na)\s+(?:rakhna|rakho|rakhiye)[.!\s]*",
    r"(?:ఈ (?:సంభాషణలో|చాట్‌లో)\s+)?(?:నా గురించి\s+)?(?:ఏమీ|ఏదీ)\s+గుర్తు\s?పెట్టుకో(?:కు|వద్దు|కండి)[.!\s]*",
    r"(?:naa? gurinchi\s+)?(?:emi|em)\s+gurtu\s?pettuko(?:ku|vaddu|kandi)[.!\s]*",
    r"(?:no (?:recuerdes|guardes) nada(?: (?:de|sobre) m[ií])?(?: en esta (?:conversaci[oó]n|charla))?|(?:desactiva|apaga) (?:la|tu) memoria(?: en esta (?:conversaci[oó]n|charla))?)\s*[.!]*",
    r"(?:ne (?:retiens|retenez|m[eé]morise|gardez?) rien(?: (?:sur|de) moi)?(?: dans cette (?:conversation|discussion))?|d[eé]sactive(?:z)? (?:la|ta|votre) m[eé]moire(?: dans cette (?:conversation|discussion))?)\s*[.!]*",
    r"(?:merk(?:e)? dir nichts(?: (?:über|ueber|von) mich| von mir)?(?: in diesem (?:gespr[aä]ch|chat))?|schalte? (?:das|dein) ged[aä]chtnis (?:in diesem (?:gespr[aä]ch|chat) )?(?:aus|ab))\s*[.!]*",
    r"(?:n[aã]o (?:guarde|lembre(?:-se)?(?: de)?|memorize) nada(?: (?:sobre|de) mim)?(?: n(?:esta|essa) (?:conversa|sess[aã]o))?|deslig(?:ue|a) a mem[oó]ria)\s*[.!]*",
    r"(?:请)?(?:不要|别)(?:再)?(?:记住|记)(?:关于我的)?(?:任何(?:事|东西|信息)|我的?(?:话|事))[。.!]*",
))  # fmt: skip
"""Whole sentences that switch memory off."""

SWITCH_ON = compiled((
    rf"(?:you (?:can|may) )?(?:remember|memori[sz]e|save|store) (?:things|what i (?:say|tell you))(?: about me)?\s+again{_HERE}{_END}",
    rf"(?:turn|switch)\s+(?:(?:your |the |my )?memory\s+(?:back\s+)?on|(?:back\s+)?on\s+(?:your |the |my )?memory)(?:\s+again)?{_HERE}{_END}",
    rf"(?:enable|resume|unpause)\s+(?:your |the |my )?memory(?:\s+again)?{_HERE}{_END}",
    rf"(?:start|begin) remembering(?: things)?(?: about me)?(?:\s+again)?{_HERE}{_END}",
    r"(?:अब\s+)?(?:फिर से|दोबारा)\s+याद\s+(?:रखना|रखो|रखिए|रखें)(?:\s+शुरू (?:करो|करें|कीजिए))?[।.!\s]*",
    r"(?:ab\s+)?(?:phir se|dobara)\s+ya?ad\s+(?:rakhna|rakho|rakhiye)(?:\s+shuru (?:karo|karein|kijiye))?[.!\s]*",
    r"(?:మళ్ళీ|మళ్లీ)\s+గుర్తు\s?పెట్టుకో(?:ండి)?[.!\s]*",
    r"malli\s+gurtu\s?pettuko(?:ndi)?[.!\s]*",
    r"(?:(?:activa|enciende) (?:la|tu) memoria(?: de nuevo)?|vuelve a recordar)\s*[.!]*",
    r"(?:r[eé]active(?:z)? (?:la|ta|votre) m[eé]moire)\s*[.!]*",
    r"(?:schalte? (?:das|dein) ged[aä]chtnis (?:wieder )?(?:ein|an))\s*[.!]*",
    r"(?:lig(?:ue|a) a mem[oó]ria(?: de novo)?)\s*[.!]*",
    r"(?:请)?(?:重新|再次)(?:开始)?记(?:住|忆)(?:吧)?[。.!]*",
))  # fmt: skip
"""Whole sentences that switch it on again."""

THIS_CONVERSATION = re.compile(
    r"\b(?:this|the present|the current) (?:conversation|chat|session|thread)\b|इस (?:बातचीत|चैट)|\bis (?:baatcheet|chat)\b|ఈ (?:సంభాషణ|చాట్)"
    r"|\besta (?:conversaci[oó]n|charla)\b|\bcette (?:conversation|discussion)\b|\bdiesem (?:gespr[aä]ch|chat)\b|\bn(?:esta|essa) (?:conversa|sess[aã]o)\b",
    re.IGNORECASE,
)
"""Words by which a switch is meant for the present conversation alone."""
