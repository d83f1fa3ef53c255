"""The compose file against the code: every path, variable, command, port and profile in it must be real."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from dagster import DagsterInvalidConfigError
from dagster._core.instance.ref import InstanceRef

from iris_assets.llm.roles import load_roles
from iris_assets.settings import Settings, load_settings
from iris_assets.store.engines import parsed_url
from iris_assets_tests.docker.reading import direct_reads, is_ignored, lay_out, variables_of_the_code
from iris_assets_tests.store.conftest import server_url

ROOT = Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("iris-assets:")}
DOCKERFILE = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
EXAMPLE = {
    line.partition("=")[0]: line.partition("=")[2]
    for line in (DOCKER / ".env.example").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
}
BIN = Path(sys.executable).parent


def program(name: str) -> list[str]:
    """How a console script of the image is started here; ours also where the package is not installed."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    if name in scripts:
        return [sys.executable, "-m", scripts[name].partition(":")[0]]
    return [str(BIN / name)]


def _variables(text: str) -> set[str]:
    return set(re.findall(r"\$\{([A-Z_]+)", text))


def test_every_variable_is_in_the_example_and_none_is_there_in_vain() -> None:
    used = _variables((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
    assert used == set(EXAMPLE) - {"COMPOSE_PROFILES"}  # which Compose itself reads
    assert EXAMPLE["COMPOSE_PROFILES"] == "platform,${STORE}"
    assert {"iris", "platform"} <= {profile for service in SERVICES.values() for profile in service["profiles"]}


def test_the_example_of_the_command_line_names_every_variable_with_its_default() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    example = dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))
    read = variables_of_the_code()
    of_dagster = {name for name in read if name.startswith("DAGSTER_")}
    assert set(example) == read - of_dagster
    assert all(name in text for name in of_dagster)  # told in a comment: Dagster's processes take them elsewhere
    assert list(example)[: len(Settings.model_fields)] == [name.upper() for name in Settings.model_fields]
    defaults = load_settings({})
    data = {"iris_assets_data": defaults.iris_assets_data}
    assert load_settings(example, **data) == defaults
    assert load_roles(None, example) == load_roles(None, {})


def test_what_the_example_names_is_heard_from_the_file_too() -> None:
    assert {name for name in direct_reads() if not name.startswith("DAGSTER_")} == {
        "TIKTOKEN_CACHE_DIR",  # set for tiktoken, and put back
        "name",  # what Python itself needs to start
    }


OF_THE_DAEMON = "DAGSTER_BACKFILL_RETRY_DEFINITION_CHANGED_ERROR"  # read by Dagster itself

# What the containers do not take from docker/.env, and why.
FIXED = {
    "IRIS_ASSETS_DATA": "the volume", "IRIS_HOST": "the service", "IRIS_PORT": "the service",
    "POSTGRES_HOST": "the service", "POSTGRES_PORT": "the service", "POSTGRES_DB": "postgres/store.sh",
    "POSTGRES_USER": "postgres/store.sh", "IRIS_NAMESPACE": "the merge file", "TSE_CKAN_BASE_URL": "one value is allowed",
    "CAMARA_BASE_URL": "one value is allowed",
}  # fmt: skip
NOT_THERE = {
    "DATABASE_URL": "STORE names one of the two services", "IRIS_ASSETS_REPLAY": "a folder of this machine",
    "TIKTOKEN_CACHE_DIR": "in the volume",
}  # fmt: skip


def test_the_services_get_every_variable_that_they_read() -> None:
    passed = {name: _variables(str(value)) for name, value in SERVICES["code"]["environment"].items()}
    open_names = {name for name, variables in passed.items() if variables == {name}}
    wanted = {name for name in variables_of_the_code() if not name.startswith("DAGSTER_")}
    assert wanted - open_names == FIXED.keys() | NOT_THERE.keys()
    assert not NOT_THERE.keys() & passed.keys()
    settings = {name.upper() for name in Settings.model_fields} & open_names
    for name in ("web", "migrate", "pools", "daemon", "webserver"):
        assert settings <= set(SERVICES[name]["environment"]), name
        # Alerts and the models of articles belong to runs and sensors, which live in the code server.
        assert set(SERVICES[name]["environment"]) < set(passed), name


def test_every_environment_variable_is_one_that_the_code_or_the_instance_reads() -> None:
    known = variables_of_the_code()
    known |= set(re.findall(r"env: (\w+)", (DOCKER / "dagster.yaml").read_text(encoding="utf-8")))
    for name, service in OURS.items():
        unknown = set(service["environment"]) - known - {"IRIS_TEST_URL", "HTTPS_PROXY", "NO_PROXY", OF_THE_DAEMON}
        assert not unknown, f"{name}: {unknown}"


@pytest.mark.parametrize("password", ["plain", "a@b", "a/b:c#d?e%41", "é ñ", "p[1]&x=y+z"])
def test_the_contract_tests_reach_the_server_with_any_password(password: str) -> None:
    given = {"IRIS_PASSWORD": password, "IRIS_USERNAME": "SuperUser"}
    environment = {name: _filled(str(value), given) for name, value in SERVICES["contract"]["environment"].items()}
    url = parsed_url(server_url(environment))
    assert (url.username, url.password, url.host, url.port, url.database) == (
        "SuperUser", password, "iris", 1972, "IRISAPP",
    )  # fmt: skip


def _filled(value: str, given: dict[str, str]) -> str:
    return re.sub(r"\$\{([A-Z_]+)[^}]*\}", lambda found: given[found.group(1)], value)


def test_no_url_of_the_compose_file_holds_a_variable_that_it_could_not_escape() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"\w+://[^\s]*\$\{", text)


@pytest.mark.timeout(300)
def test_the_contract_tests_find_what_they_need_in_the_image(tmp_path: Path) -> None:
    """Laid out as the image's test stage copies it: those that read files beyond their own folder pass."""
    lay_out("test", tmp_path)
    assert not (tmp_path / "app" / "iris_assets").exists()
    (words,) = [SERVICES["contract"]["command"]]
    folder = next(word for word in words if word.startswith("iris_assets_tests"))
    assert (tmp_path / "app" / folder / "golden" / "ddl.sql").is_file()
    arguments = [word for word in words[1:] if word != folder and not word.startswith("--junitxml")]
    tests = [path for path in sorted((tmp_path / "app" / folder).glob("test_*.py")) if "parents[" in path.read_text()]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, *tests],
        cwd=tmp_path / "app", env={"PATH": str(BIN), "HOME": "/nonexistent"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert " passed" in done.stdout and "warning" not in done.stdout


def test_the_defaults_are_settings_that_are_accepted() -> None:
    environment = SERVICES["code"]["environment"]
    names = {name.upper() for name in Settings.model_fields}
    values = {
        name: re.sub(
            r"\$\{[A-Z_]+(?::-(.*?)|:\?.*?)\}",
            lambda found: "x" if found.group(1) is None else found.group(1),
            str(value),
        )
        for name, value in environment.items()
    }
    settings = load_settings({name: value for name, value in values.items() if name in names})
    assert settings.store_url == "postgresql+psycopg://iris_assets:x@postgres:5432/iris_assets"
    with_iris = load_settings({name: value for name, value in values.items() if name in names} | {"STORE": "iris"})
    assert with_iris.store_url == "iris://SuperUser:@iris:1972/IRISAPP"
    assert with_iris.iris_sql_schema == "IRISPolitical_Model"


@pytest.mark.parametrize("name", sorted(OURS))
def test_the_command_exists_and_takes_its_options(name: str) -> None:
    command = [str(part) for part in OURS[name]["command"]]
    if command[0] == "pytest":
        assert (ROOT / next(part for part in command if part.startswith("iris_assets_tests"))).is_dir()
        return
    words = [part for part in command[1:] if not part.startswith("-")]
    subcommands = words[
        : {"iris-assets": 2 if "db" in words else 1, "dagster": 2, "dagster-daemon": 1}.get(command[0], 0)
    ]
    done = subprocess.run(
        [*program(command[0]), *subcommands, "--help"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-500:]
    for option in (part for part in command[1:] if part.startswith("-")):
        assert re.search(rf"(^|[\s,│])-*{re.escape(option)}\b", done.stdout, re.MULTILINE), f"{command}: {option}"


def test_services_wait_for_each_other_and_say_when_they_are_well() -> None:
    for name, service in SERVICES.items():
        for needed, condition in service.get("depends_on", {}).items():
            state = condition["condition"]
            assert needed in SERVICES
            assert state != "service_healthy" or "healthcheck" in SERVICES[needed], f"{name} waits for {needed}"
            optional = condition.get("required") is False  # one of the two stores
            assert optional or set(service["profiles"]) <= set(SERVICES[needed]["profiles"]), f"{name} needs {needed}"
    lasting = [name for name, service in SERVICES.items() if service.get("restart") == "unless-stopped"]
    assert all("healthcheck" in SERVICES[name] for name in lasting)
    assert {"code", "webserver", "daemon", "web", "iris", "postgres"} == set(lasting)


def test_the_migration_runs_before_anything_opens_the_store() -> None:
    for name in ("code", "web"):
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_bind_mounts_secrets_volumes_and_build_files_exist() -> None:
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (DOCKER / source).exists() if source.startswith(".") else source in COMPOSE["volumes"], (
                f"{name}: {source}"
            )
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
        if "build" in service:
            assert (DOCKER / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
            assert re.search(rf"^FROM .* AS {service['build']['target']}$", DOCKERFILE, re.MULTILINE)
    assert {secret["environment"] for secret in COMPOSE["secrets"].values()} <= set(EXAMPLE)


def test_ports_are_open_on_this_machine_only_and_agree_with_the_commands() -> None:
    for name, service in SERVICES.items():
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name}: {port}"
    for name, port in (("webserver", "3000"), ("web", "8000"), ("code", "4000")):
        assert port in [str(part) for part in SERVICES[name]["command"]]
        assert port in str(SERVICES[name]["healthcheck"]["test"])
    workspace = yaml.safe_load((DOCKER / "workspace.yaml").read_text(encoding="utf-8"))["load_from"][0]["grpc_server"]
    assert (workspace["host"], workspace["port"]) == ("code", 4000)


def test_our_containers_are_unprivileged_and_read_only() -> None:
    for name, service in OURS.items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert "user" not in service  # the image's own user


def test_the_instance_in_the_containers_differs_in_its_storage_only() -> None:
    ours = yaml.safe_load((DOCKER / "dagster.yaml").read_text(encoding="utf-8"))
    storage = ours.pop("storage")
    assert ours == yaml.safe_load((ROOT / "dagster.yaml").read_text(encoding="utf-8"))
    assert storage["postgres"]["postgres_db"]["scheme"] == "postgresql+psycopg2"


def test_the_instance_of_several_machines_differs_in_who_starts_a_run_and_how_many() -> None:
    several = yaml.safe_load((DOCKER / "several" / "dagster.yaml").read_text(encoding="utf-8"))
    one = yaml.safe_load((DOCKER / "dagster.yaml").read_text(encoding="utf-8"))
    launcher = several.pop("run_launcher")["config"]
    del one["run_launcher"]
    assert several["concurrency"]["runs"].pop("max_concurrent_runs") > one["concurrency"]["runs"].pop(
        "max_concurrent_runs"
    )
    assert several == one
    assert launcher["env_vars"] == sorted(SERVICES["code"]["environment"])
    assert launcher["container_kwargs"]["volumes"] == [SERVICES["code"]["volumes"][0]]
    assert launcher["image"] == SERVICES["code"]["image"]


def test_dagster_takes_the_instance_of_several_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own schemas read the file and make the launcher, up to the first call of a Docker daemon."""
    from dagster_docker import DockerRunLauncher  # of the extra `containers`

    environment = dict.fromkeys(SERVICES["code"]["environment"], "x") | {"IRIS_ASSETS_NETWORK": "team"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    shutil.copy(DOCKER / "several" / "dagster.yaml", tmp_path / "dagster.yaml")
    reference = InstanceRef.from_dir(str(tmp_path))
    launcher = reference.run_launcher
    assert isinstance(launcher, DockerRunLauncher)
    assert (launcher.image, launcher.networks) == ("iris-assets:local", ["team"])
    assert "POSTGRES_PASSWORD" in launcher.env_vars and "x" not in launcher.env_vars
    misspelt = (tmp_path / "dagster.yaml").read_text().replace("container_kwargs:", "container_kwarg:")
    (tmp_path / "dagster.yaml").write_text(misspelt)
    with pytest.raises(DagsterInvalidConfigError):
        _ = InstanceRef.from_dir(str(tmp_path)).run_launcher


def test_the_merge_file_makes_the_namespace_that_the_settings_name() -> None:
    merge = (DOCKER / "iris" / "merge.cpf").read_text(encoding="utf-8")
    namespace = SERVICES["code"]["environment"]["IRIS_NAMESPACE"]
    assert f"CreateNamespace:Name={namespace},Globals={namespace},Routines={namespace}" in merge
    assert f"CreateDatabase:Name={namespace},Directory=/durable/" in merge
    assert "iris-data:/durable" in SERVICES["iris"]["volumes"]


def test_the_script_makes_the_database_that_the_settings_name() -> None:
    script = (DOCKER / "postgres" / "store.sh").read_text(encoding="utf-8")
    settings = SERVICES["code"]["environment"]
    assert f"CREATE DATABASE {settings['POSTGRES_DB']} OWNER {settings['POSTGRES_USER']};" in script
    assert f"CREATE ROLE {settings['POSTGRES_USER']} LOGIN" in script and "store_password" in script
    assert "./postgres/store.sh:/docker-entrypoint-initdb.d/store.sh:ro" in SERVICES["postgres"]["volumes"]
    assert "store_password" in SERVICES["postgres"]["secrets"]


def test_the_dockerfile_keeps_the_rules() -> None:
    """What a Dockerfile linter would say: pinned bases, no root at run time, no secret, files that exist."""
    assert not re.search(r"^(ADD|MAINTAINER)\b|:latest|sudo", DOCKERFILE, re.MULTILINE)
    assert not re.search(r"(PASSWORD|SECRET|API_KEY|TOKEN)=", DOCKERFILE)
    for line in re.findall(r"apt-get install[^\n]*", DOCKERFILE):
        assert "--no-install-recommends" in line
    assert DOCKERFILE.count("apt-get install") == DOCKERFILE.count("rm -rf /var/lib/apt/lists/*")
    stages = re.split(r"(?m)^(?=FROM )", DOCKERFILE)[1:]
    for stage in stages[1:]:
        # A number, so that an orchestrator can see that it is not root.
        assert re.findall(r"^USER (\w+)", stage, re.MULTILINE)[-1] == "10001"
    for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE):
        assert all((ROOT / source).exists() and not is_ignored(source) for source in sources.split()), sources


def test_the_compose_file_keeps_the_compose_specification(tmp_path: Path) -> None:
    """Where no Docker is: the published schema accepts it, and refuses it with one misspelt key."""
    assert _keeps_the_specification(DOCKER / "compose.yaml")
    misspelt = tmp_path / "compose.yaml"
    misspelt.write_text((DOCKER / "compose.yaml").read_text(encoding="utf-8").replace("healthcheck:", "healtcheck:", 1))
    assert not _keeps_the_specification(misspelt)


def _keeps_the_specification(file: Path) -> bool:
    command = [str(BIN / "check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(file)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_docker_reads_the_compose_file() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker compose is not installed")
    command = [
        str(docker),
        "compose",
        "-f",
        str(DOCKER / "compose.yaml"),
        "--profile",
        "platform",
        "--profile",
        "iris",
        "--profile",
        "test",
    ]
    environment = {
        "PATH": "/usr/bin:/bin:/usr/local/bin",
        "IRIS_PASSWORD": "x",
        "DAGSTER_POSTGRES_PASSWORD": "y",
        "POSTGRES_PASSWORD": "z",
    }
    done = subprocess.run([*command, "config"], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert set(yaml.safe_load(done.stdout)["services"]) == set(SERVICES)
