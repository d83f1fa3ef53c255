"""Word lists of the analyzer, all folded: Portuguese stop words, question words, a small curated table of acronyms."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _words(
    """
    a ao aos aquela aquelas aquele aqueles aquilo as ate cada com como da das de dela delas dele deles desde do dos e
    ela elas ele eles em entre era eram essa essas esse esses esta estao estar estas estava estavam este esteja estes
    estou eu foi for foram fosse fossem ha havia isso isto ja la lhe lhes lo mais mas me mesmo meu meus minha minhas
    muito na nas nem no nos nossa nossas nosso nossos num numa o os ou para pela pelas pelo pelos por porque qual
    quais quando que quem se seja sejam sem ser sera serao seria seriam seu seus so sob sobre somos sua suas tambem te
    tem tinha ter teu teus tua tuas um uma umas uns vos voce voces d l n vs etc onde
    """
)

# What a question says about itself and not about its subject.
QUESTION_WORDS = _words(
    """
    existe existem quero queria gostaria saber diga diz dizem dizer fala falam falar conte explique mostre mostrar
    liste listar acerca respeito n.º nº
    """
)

# Acronym → its long form without stop words. Either form in a question finds the other in a document.
ACRONYMS: dict[str, tuple[str, ...]] = {
    "sus": ("sistema", "unico", "saude"),
    "inss": ("instituto", "nacional", "seguro", "social"),
    "enem": ("exame", "nacional", "ensino", "medio"),
    "fundeb": ("fundo", "manutencao", "desenvolvimento", "educacao", "basica"),
    "pib": ("produto", "interno", "bruto"),
    "ibge": ("instituto", "brasileiro", "geografia", "estatistica"),
    "tse": ("tribunal", "superior", "eleitoral"),
    "tcu": ("tribunal", "contas", "uniao"),
    "stf": ("supremo", "tribunal", "federal"),
    "stj": ("superior", "tribunal", "justica"),
    "clt": ("consolidacao", "leis", "trabalho"),
    "bndes": ("banco", "nacional", "desenvolvimento", "economico", "social"),
    "fgts": ("fundo", "garantia", "tempo", "servico"),
    "eca": ("estatuto", "crianca", "adolescente"),
    "ldb": ("lei", "diretrizes", "bases"),
    "lgpd": ("lei", "geral", "protecao", "dados"),
    "lrf": ("lei", "responsabilidade", "fiscal"),
    "ldo": ("lei", "diretrizes", "orcamentarias"),
    "loa": ("lei", "orcamentaria", "anual"),
    "ppa": ("plano", "plurianual"),
    "pne": ("plano", "nacional", "educacao"),
    "pac": ("programa", "aceleracao", "crescimento"),
    "pnae": ("programa", "nacional", "alimentacao", "escolar"),
    "bpc": ("beneficio", "prestacao", "continuada"),
    "irpf": ("imposto", "renda", "pessoa", "fisica"),
    "icms": ("imposto", "circulacao", "mercadorias", "servicos"),
    "iptu": ("imposto", "predial", "territorial", "urbano"),
    "ibama": ("instituto", "brasileiro", "meio", "ambiente"),
    "funai": ("fundacao", "nacional", "povos", "indigenas"),
    "incra": ("instituto", "nacional", "colonizacao", "reforma", "agraria"),
    "eja": ("educacao", "jovens", "adultos"),
    "ead": ("educacao", "distancia"),
    "ubs": ("unidade", "basica", "saude"),
    "upa": ("unidade", "pronto", "atendimento"),
    "caps": ("centro", "atencao", "psicossocial"),
    "cras": ("centro", "referencia", "assistencia", "social"),
    "apae": ("associacao", "pais", "amigos", "excepcionais"),
    "anvisa": ("agencia", "nacional", "vigilancia", "sanitaria"),
    "aneel": ("agencia", "nacional", "energia", "eletrica"),
    "ppp": ("parceria", "publico", "privada"),
    "rgps": ("regime", "geral", "previdencia", "social"),
    "rpps": ("regime", "proprio", "previdencia", "social"),
}
