"""How people greet, thank, take their leave and check whether anybody is there, in the languages of the users.

Yes and no, and words of politeness, are in `memwarden.guard.answer_words`. Phrases are in plain spelling.
"""

from __future__ import annotations

GREETINGS: frozenset[str] = frozenset(
    phrase
    for line in (
        ("hi|hii|hello|hello there|hi there|hey|hey there|heya|howdy|yo|hola|greetings|good morning|good afternoon|good evening|good day|good night|morning"
         "|how are you|how are you doing|how are you today|how do you do|how is it going|hows it going|how r u|whats up|sup|nice to meet you|are you there|anybody there|is anyone there|test|testing"
         "|thanks|thank you|thank you so much|thank you very much|thanks so much|thanks a lot|thanks a bunch|many thanks|much appreciated|appreciate it|cheers|thx|ty|tysm|great|great thanks|perfect|awesome|cool|nice|good|got it|understood|i see|fine|very good|well done|good bot|lol|haha|hmm|hm|wow"
         "|bye|bye bye|goodbye|good bye|see you|see you later|see ya|take care|have a nice day|have a good day|thats all|that is all|nothing|nothing else|never mind|you too|welcome|youre welcome|no worries|all good|there|everyone|team|assistant|bot|so much|very much|again|for your help|for the help|for that|for everything|for now|today"),
        "नमस्ते|नमस्कार|प्रणाम|हैलो|हेलो|हाय|राम राम|सुप्रभात|शुभ प्रभात|शुभ संध्या|शुभ रात्रि|कैसे हो|कैसे हैं|आप कैसे हैं|क्या हाल है|धन्यवाद|बहुत धन्यवाद|बहुत बहुत धन्यवाद|आपका धन्यवाद|शुक्रिया|बहुत शुक्रिया|थैंक यू|अलविदा|फिर मिलेंगे|ठीक है|बढ़िया|namaste|namaskar|dhanyavaad|dhanyavad|shukriya|theek hai|thik hai|kaise ho|kaise hain",
        "السلام علیکم|سلام|آداب|ہیلو|شکریہ|بہت شکریہ|خدا حافظ|اللہ حافظ|آپ کیسے ہیں",
        "నమస్తే|నమస్కారం|హలో|హాయ్|శుభోదయం|శుభ సాయంత్రం|ఎలా ఉన్నారు|మీరు ఎలా ఉన్నారు|ధన్యవాదాలు|చాలా ధన్యవాదాలు|థాంక్స్|వీడ్కోలు|బాగుంది|namaskaram|dhanyavadalu",
        "வணக்கம்|ஹலோ|ஹாய்|காலை வணக்கம்|எப்படி இருக்கிறீர்கள்|நன்றி|மிக்க நன்றி|ரொம்ப நன்றி|போய் வருகிறேன்|vanakkam|nandri",
        "ನಮಸ್ಕಾರ|ನಮಸ್ತೆ|ಹಲೋ|ಶುಭೋದಯ|ಹೇಗಿದ್ದೀರಾ|ಧನ್ಯವಾದ|ಧನ್ಯವಾದಗಳು|ತುಂಬಾ ಧನ್ಯವಾದಗಳು",
        "നമസ്കാരം|ഹലോ|ഹായ്|സുപ്രഭാതം|സുഖമാണോ|നന്ദി|വളരെ നന്ദി",
        "नमस्कार मंडळी|कसे आहात|खूप धन्यवाद|आभारी आहे|शुभ सकाळ",
        "নমস্কার|হ্যালো|হাই|সুপ্রভাত|কেমন আছেন|কেমন আছো|ধন্যবাদ|অনেক ধন্যবাদ|আসসালামু আলাইকুম|বিদায়",
        "નમસ્તે|નમસ્કાર|હેલો|કેમ છો|આભાર|ખૂબ આભાર|ધન્યવાદ|આવજો",
        "ਸਤ ਸ੍ਰੀ ਅਕਾਲ|ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ|ਹੈਲੋ|ਕੀ ਹਾਲ ਹੈ|ਧੰਨਵਾਦ|ਬਹੁਤ ਧੰਨਵਾਦ|ਸ਼ੁਕਰੀਆ",
        "buenas|buenos dias|buenas tardes|buenas noches|que tal|como estas|como esta|gracias|muchas gracias|mil gracias|muchisimas gracias|adios|hasta luego|hasta pronto|chao|de nada|genial|perfecto|vale gracias",
        "bonjour|bonsoir|salut|coucou|bonne journee|bonne soiree|ca va|comment ca va|comment allez vous|merci|merci beaucoup|merci bien|un grand merci|au revoir|a bientot|de rien|parfait|super",
        "hallo|guten tag|guten morgen|guten abend|gute nacht|moin|servus|gruss gott|grüß gott|grüezi|wie gehts|wie geht es dir|wie geht es ihnen|danke|danke schön|danke schon|dankeschön|vielen dank|danke dir|danke ihnen|besten dank|tschüss|tschuss|auf wiedersehen|bis bald|bis später|super|prima|alles klar",
        "ola|oi|bom dia|boa tarde|boa noite|tudo bem|como vai|como esta|obrigado|obrigada|muito obrigado|muito obrigada|valeu|tchau|ate logo|de nada|perfeito",
        "ciao|salve|buongiorno|buonasera|buonanotte|come stai|come sta|come va|grazie|grazie mille|mille grazie|molte grazie|arrivederci|a presto|prego|perfetto",
        "hallo|hoi|goedemorgen|goedemiddag|goedenavond|goedendag|hoe gaat het|hoe gaat het met je|dank je|dank je wel|dank u|dank u wel|bedankt|hartelijk dank|hartelijk bedankt|dankjewel|tot ziens|doei|dag|prima|top",
        "cześć|czesc|hej|dzień dobry|dzien dobry|dobry wieczór|dobranoc|witam|jak się masz|co słychać|dziękuję|dziekuje|dzięki|dzieki|dziękuję bardzo|do widzenia|pa|na razie",
        "merhaba|selam|selamlar|günaydın|gunaydin|iyi günler|iyi akşamlar|iyi geceler|nasılsın|nasılsınız|naber|teşekkürler|tesekkurler|teşekkür ederim|çok teşekkürler|çok teşekkür ederim|sağ ol|sağol|hoşça kal|görüşürüz|güle güle",
        "привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|доброй ночи|как дела|как ты|как вы|хай|спасибо|большое спасибо|спасибо большое|огромное спасибо|благодарю|пока|до свидания|до встречи|отлично|понятно|ясно",
        "مرحبا|أهلا|أهلا وسهلا|اهلا|السلام عليكم|وعليكم السلام|صباح الخير|مساء الخير|تصبح على خير|كيف حالك|كيف الحال|شكرا|شكرا جزيلا|شكرا لك|مع السلامة|إلى اللقاء",
        "你好|您好|你们好|嗨|哈喽|哈罗|早|早上好|早安|上午好|中午好|下午好|晚上好|晚安|你好吗|在吗|在不在|有人吗|谢谢|谢谢你|谢谢您|多谢|非常感谢|太谢谢了|感谢|再见|拜拜|明白了|知道了|懂了|嗯|哦|哈哈|測試|测试",
        "こんにちは|こんばんは|おはよう|おはようございます|おやすみ|おやすみなさい|やあ|もしもし|はじめまして|お元気ですか|元気ですか|ありがとう|ありがとうございます|ありがとうございました|どうもありがとう|どうもありがとうございます|感謝します|さようなら|またね|じゃあね|なるほど|わかりました|了解|了解です|テスト",
        "안녕|안녕하세요|안녕하십니까|반가워요|반갑습니다|좋은 아침|좋은 아침이에요|잘 지내세요|잘 지냈어요|고마워|고마워요|감사합니다|감사해요|정말 감사합니다|대단히 감사합니다|안녕히 계세요|안녕히 가세요|잘 가|알겠습니다|알겠어요|테스트",
        "halo|hai|selamat pagi|selamat siang|selamat sore|selamat malam|apa kabar|terima kasih|terima kasih banyak|makasih|makasih ya|sampai jumpa|dadah|sama sama",
        "xin chào|chào|chào bạn|chào anh|chào chị|chào buổi sáng|bạn khỏe không|cảm ơn|cám ơn|cảm ơn bạn|cảm ơn nhiều|cảm ơn bạn nhiều|tạm biệt|hẹn gặp lại",
        "สวัสดี|สวัสดีครับ|สวัสดีค่ะ|ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ|ขอบคุณมาก|ขอบคุณมากครับ|ขอบคุณมากค่ะ|ลาก่อน|ครับ|ค่ะ",
        "שלום|היי|בוקר טוב|ערב טוב|לילה טוב|מה שלומך|מה נשמע|תודה|תודה רבה|להתראות|ביי",
        "γεια|γεια σου|γεια σας|καλημέρα|καλησπέρα|καληνύχτα|τι κάνεις|ευχαριστώ|ευχαριστώ πολύ|αντίο",
    )
    for phrase in line.split("|")
)  # fmt: skip
"""Phrases of which a message may consist without saying anything."""
