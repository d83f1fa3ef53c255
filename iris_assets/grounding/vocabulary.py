"""Word lists of the citation gate (accent-free lower case, except abbreviations)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that carry no meaning of their own, those of talking about evidence included.
STOP_WORDS = _words(
    """
    a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem sob sobre
    entre  e ou que se como mais menos muito tambem ja ao aos ate seu sua seus suas este esta esse essa isso isto
    aquele ele ela  eles elas ser sao foi sera serao ter tem tinha ha nao segundo conforme plano governo candidato
    candidata propoe proposta  propostas evidencia evidencias documento afirma preve pretende promete defende
    apresenta apresentou diz consta  quer vai vao deve devem seria pode podem quando onde cada todo toda todos todas
    outro outra outros outras trata tratam sobre dispoe informa registra
    """
)

# Words inside a name that identify nobody.
PARTICLES = _words(
    """
    de da do das dos e di del van von
    """
)

# Offices and forms of address before a name.
TITLES = _words(
    """
    dr dra doutor doutora professor professora prof pastor pastora padre delegado delegada coronel capitao sargento
    cabo  major general tenente sr sra dep deputado deputada senador senadora governador governadora presidente
    vereador vereadora  prefeito prefeita ministro ministra candidato candidata irmao irma mestre enfermeiro
    enfermeira junior filho neto
    """
)

# Words of institutions, programmes and places: a run of capitals that holds one names no person.
INSTITUTIONAL = _words(
    """
    plano planos governo programa projeto lei leis pl plp pec mpv camara deputados senado federal estadual municipal
    nacional  ministerio sistema unico saude educacao seguranca publica publico estado estados uniao brasil
    republica tribunal eleitoral  justica supremo superior constituicao codigo estatuto fundo instituto universidade
    escola hospital secretaria comissao  conselho politica politicas proposta propostas proposicao medida provisoria
    decreto bolsa familia casa vida minha meu  partido coligacao rio sao santa santo minas norte sul leste oeste
    nordeste sudeste centro capital distrito regiao amazonia  meio ambiente agua cidade cidades estrada rede linha
    central banco caixa empresa agencia orgao servico servicos eixo  primeira infancia creches escolas cultura
    esporte turismo agricultura economia trabalho emprego habitacao saneamento  mobilidade transporte diretrizes
    historico mandato resumo pagina segundo conforme ainda alem tambem porem entretanto  nao sim os as um uma na no
    nas nos em para por com evidencia evidencias documento fonte texto titulo tema
    """
)

# What a full stop may follow without ending a sentence.
ABBREVIATIONS = _words(
    """
    art arts inc incs n nº no nos num dr dra drs sr sra srs sras prof profa eng av r p pp pag pág pags págs ex dep
    deps sen gov  min pref ver pres cel sgt cap cf obs ref fl fls vol cap séc sec al par us i.e e.g ltda cia dep jan
    fev mar abr mai jun jul  ago set out nov dez aprox ed org etc tel ind com res proc st sto sta s.a exmo exma
    """
)

# Parties as they write themselves (upper case); those of an election come with its evidences.
PARTIES = _words(
    """
    AGIR AVANTE CIDADANIA DC DEM MDB MISSÃO MOBILIZA NOVO PATRIOTA PCB PCO PDT PL PMB PMDB PMN PODE PODEMOS PP PPS PRB
    PRD PROS PRTB PSB PSC PSD PSDB PSL PSOL PSTU PT PTB PTC PV PCdoB REDE REPUBLICANOS SOLIDARIEDADE UNIÃO UP
    """
)
