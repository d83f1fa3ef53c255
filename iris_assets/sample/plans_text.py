"""Invented Portuguese for the sample's government plans: themes, measures, places and figures that belong to nobody."""

import random
from typing import Final

THEMES: Final[dict[str, tuple[str, ...]]] = {
    "Saúde": (
        "ampliar o horário das unidades básicas de saúde até as vinte e duas horas",
        "contratar equipes de saúde da família para os bairros sem cobertura",
        "reduzir a fila de cirurgias eletivas com mutirões regionais",
        "implantar o prontuário eletrônico único em todos os hospitais públicos",
        "criar centros de atenção psicossocial para adolescentes",
    ),
    "Educação": (
        "oferecer ensino em tempo integral em metade das escolas públicas",
        "abrir vagas de creche perto dos terminais de ônibus",
        "valorizar os professores com plano de carreira e formação continuada",
        "levar internet de fibra óptica a todas as escolas rurais",
        "criar cursos técnicos ligados à vocação de cada região",
    ),
    "Segurança pública": (
        "integrar os bancos de dados das polícias civil e militar",
        "criar delegacias de atendimento à mulher abertas dia e noite",
        "instalar câmeras corporais no policiamento ostensivo",
        "ampliar a iluminação pública nas áreas com mais ocorrências",
    ),
    "Transporte": (
        "construir corredores exclusivos de ônibus elétricos",
        "recuperar as hidrovias para o transporte de passageiros",
        "integrar as tarifas de trem, barco e ônibus em um bilhete único",
        "pavimentar as estradas vicinais que ligam as vilas às cidades",
    ),
    "Meio ambiente": (
        "recuperar matas ciliares com viveiros comunitários",
        "pagar por serviços ambientais às famílias que conservam nascentes",
        "encerrar os lixões e apoiar as cooperativas de reciclagem",
        "monitorar o desmatamento com brigadas locais",
    ),
    "Economia e emprego": (
        "abrir linhas de microcrédito para pequenas empresas",
        "simplificar a abertura de negócios em um balcão único digital",
        "apoiar a agricultura familiar com compras públicas de alimentos",
        "criar um programa de primeiro emprego com empresas de tecnologia",
    ),
    "Saneamento": (
        "levar água tratada a todas as comunidades ribeirinhas",
        "dobrar a coleta de esgoto nas cidades médias",
        "reduzir as perdas de água com troca de redes antigas",
    ),
    "Cultura e esporte": (
        "abrir bibliotecas nos fins de semana com oficinas de leitura",
        "reformar as quadras dos bairros e contratar monitores de esporte",
        "financiar festas populares e mestres da cultura local",
    ),
}
_OPENINGS: Final = (
    "Nosso compromisso é {measure}.",
    "Vamos {measure}.",
    "Propomos {measure}.",
    "No primeiro ano de governo será prioridade {measure}.",
)
_REASONS: Final = (
    "A meta é alcançar {share} por cento dos municípios em {years} anos, com relatórios públicos a cada semestre.",
    "O investimento previsto é de {amount} milhões de reais, com participação dos conselhos locais.",
    "A medida será acompanhada por um comitê de moradores de {place}, que publicará os resultados.",
    "O programa começa como projeto piloto em {place} e depois segue para as demais regiões.",
)
PLACES: Final = (
    "Vila Aurora",
    "Porto Sereno",
    "Campo das Garças",
    "Serra do Vento",
    "Lagoa Clara",
    "Novo Horizonte do Vale",
)


def plan_paragraphs(rng: random.Random, name: str, office: str) -> list[str]:
    """A whole plan: an opening, then each theme with all its measures in an own order."""
    paragraphs = [
        "PLANO DE GOVERNO (TEXTO FICTÍCIO)",
        f"Programa de {name}, candidatura de amostra ao cargo de {office.lower()}. Pessoas, partidos, lugares e "
        "números deste documento são inventados e servem apenas para testar programas de computador.",
    ]
    themes = list(THEMES)
    rng.shuffle(themes)
    for number, theme in enumerate(themes, start=1):
        paragraphs.append(f"{number}. {theme}")
        measures = list(THEMES[theme])
        rng.shuffle(measures)
        for measure in measures:
            reasons = rng.sample(_REASONS, 2)
            text = " ".join(
                [rng.choice(_OPENINGS).format(measure=measure), *(_filled(reason, rng) for reason in reasons)]
            )
            paragraphs.append(text)
    return paragraphs


def _filled(reason: str, rng: random.Random) -> str:
    return reason.format(
        share=rng.randrange(40, 100, 5),
        years=rng.randint(2, 4),
        amount=rng.randrange(5, 200, 5),
        place=rng.choice(PLACES),
    )
